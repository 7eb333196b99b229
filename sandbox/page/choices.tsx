import { stateValue } from '../slack/inputs.ts';
import { dictsAt, textAt } from '../slack/json.ts';
import { chosenOptions, type FieldProps } from './fields.tsx';
import { useSurface } from './surface.ts';
import { TextObject } from './text.tsx';

/** Boxes to tick, or buttons of which one is chosen. */
export function Choices({ block, element, tellsApp, dom }: FieldProps) {
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
