import { stateValue } from '../slack/inputs.ts';
import { dictAt, dictsAt, textAt } from '../slack/json.ts';
import { Combobox } from './combobox.tsx';
import { MultiCombobox } from './multi-combobox.tsx';
import { chosenOptions, type FieldProps, textValue, useSurface } from './surface.ts';
import { plainOf, TextObject, Unsupported } from './text.tsx';

const TYPED = {
  plain_text_input: 'text',
  number_input: 'text',
  email_text_input: 'email',
  url_text_input: 'url',
  datepicker: 'date',
  timepicker: 'time',
} as const;

export function Field(props: FieldProps) {
  const type = textAt(props.element, 'type') ?? '';
  switch (type) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'datepicker':
    case 'timepicker':
      return <Typed {...props} type={type} />;
    case 'static_select':
    case 'external_select':
    case 'users_select':
    case 'channels_select':
      return <Combobox {...props} />;
    case 'multi_static_select':
    case 'multi_external_select':
      return <MultiCombobox {...props} />;
    case 'checkboxes':
    case 'radio_buttons':
      return <Choices {...props} />;
    default:
      return <Unsupported type={type} />;
  }
}

function Typed({ block, element, isOptional, tellsApp, dom, type }: FieldProps & { type: keyof typeof TYPED }) {
  const surface = useSurface();
  const action = String(element['action_id']);
  const value = textValue(surface.value(block, action));
  const enter = (typed: string) => surface.enter(block, action, stateValue(type, typed));
  const when = dictAt(element, 'dispatch_action_config')?.['trigger_actions_on'];
  const onEach = tellsApp && Array.isArray(when) && when.includes('on_character_entered');
  const shared = {
    id: dom.id,
    value,
    placeholder: plainOf(element['placeholder']),
    'aria-describedby': dom.describedBy || undefined,
    'aria-required': !isOptional,
    'aria-invalid': dom.isInvalid || undefined,
    'data-focus-first': element['focus_on_load'] === true ? true : undefined,
    autocomplete: 'off',
    onInput: (event: InputEvent & { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const typed = event.currentTarget.value;
      enter(typed);
      if (onEach) void surface.press(block, element, stateValue(type, typed));
    },
  };
  if (type === 'plain_text_input' && element['multiline'] === true)
    return <textarea {...shared} rows={4} class="field-box" />;
  return (
    <input
      {...shared}
      class="field-box"
      // JSX types the attribute by one literal at a time.
      type={TYPED[type] as 'text'}
      inputMode={type === 'number_input' ? (element['is_decimal_allowed'] === true ? 'decimal' : 'numeric') : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !tellsApp || onEach) return;
        event.preventDefault();
        void surface.press(block, element, stateValue(type, event.currentTarget.value));
      }}
    />
  );
}

/** Boxes to tick, or buttons of which one is chosen. */
function Choices({ block, element, tellsApp, dom }: FieldProps) {
  const surface = useSurface();
  const action = String(element['action_id']);
  const isMany = element['type'] === 'checkboxes';
  const chosen = chosenOptions(surface.value(block, action));
  const isChosen = (option: unknown) => chosen.some((other) => textAt(other, 'value') === textAt(option, 'value'));
  const options = dictsAt(element, 'options');
  return (
    <div class="choices">
      {options.map((option, index) => {
        const id = `${dom.id}-${index}`;
        return (
          <label class="choice" for={id} key={textAt(option, 'value') ?? String(index)}>
            <input
              id={id}
              type={isMany ? 'checkbox' : 'radio'}
              name={dom.id}
              checked={isChosen(option)}
              aria-invalid={dom.isInvalid || undefined}
              onChange={(event) => {
                const ticked = event.currentTarget.checked;
                const next = isMany
                  ? stateValue(
                      'checkboxes',
                      options.filter((other) => (other === option ? ticked : isChosen(other))),
                    )
                  : stateValue('radio_buttons', option);
                surface.enter(block, action, next);
                if (tellsApp) void surface.press(block, element, next);
              }}
            />
            <span>
              <TextObject of={option['text']} />
              {option['description'] !== undefined && (
                <span class="choice-about">
                  <TextObject of={option['description']} />
                </span>
              )}
            </span>
          </label>
        );
      })}
    </div>
  );
}
