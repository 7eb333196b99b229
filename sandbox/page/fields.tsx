import { bareValue, stateValue } from '../slack/inputs.ts';
import { type Dict, dictAt, dictsAt, textAt } from '../slack/json.ts';
import { Choices } from './choices.tsx';
import { Combobox } from './combobox.tsx';
import { textValue, useSurface } from './surface.ts';
import { plainOf } from './text.tsx';
import { Unsupported } from './unsupported.tsx';

export interface FieldDom {
  readonly id: string;
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
}

export interface FieldProps {
  readonly block: string;
  readonly element: Dict;
  readonly isOptional: boolean;
  /** The app hears of a change at once (`dispatch_action`, or an element that is not in an input block). */
  readonly tellsApp: boolean;
  readonly dom: FieldDom;
}

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
      // The attribute's type allows one kind at a time.
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

/** The chosen option of a select; undefined where nothing is chosen. */
export function chosenOption(value: ReturnType<ReturnType<typeof useSurface>['value']>): Dict | undefined {
  const bare = value && bareValue(value);
  return typeof bare === 'object' && bare !== null && !Array.isArray(bare) ? (bare as Dict) : undefined;
}

export function chosenOptions(value: ReturnType<ReturnType<typeof useSurface>['value']>): readonly Dict[] {
  const bare = value && bareValue(value);
  if (Array.isArray(bare)) return dictsAt({ bare }, 'bare');
  const one = chosenOption(value);
  return one ? [one] : [];
}
