import { type Dict, dictAt, textAt } from '../slack/json.ts';
import { Field } from './fields.tsx';
import { useSurface } from './surface.ts';
import { TextObject } from './text.tsx';

/** A label, the field, its hint, and what is wrong with it. */
export function InputBlock({ block }: { block: Dict }) {
  const surface = useSurface();
  const id = String(block['block_id']);
  const domId = `${surface.id}-${id}`;
  const element = dictAt(block, 'element') ?? {};
  const hint = dictAt(block, 'hint');
  const error = surface.error(id);
  // Groups of boxes are named by a legend, everything else by a label.
  const isGroup = ['checkboxes', 'radio_buttons'].includes(textAt(element, 'type') ?? '');
  const label = (
    <>
      <TextObject of={block['label']} />
      {block['optional'] === true && <span class="optional"> (optional)</span>}
    </>
  );
  const described = [hint ? `${domId}-hint` : '', error ? `${domId}-error` : ''].filter(Boolean).join(' ');
  const field = (
    <Field
      block={id}
      element={element}
      isOptional={block['optional'] === true}
      tellsApp={block['dispatch_action'] === true}
      dom={{
        id: `${domId}-field`,
        labelledBy: `${domId}-label`,
        describedBy: described,
        isInvalid: error !== undefined,
      }}
    />
  );
  const notes = (
    <>
      {error !== undefined && (
        <p class="input-error" id={`${domId}-error`} role="alert">
          <span aria-hidden="true" class="input-error-mark">
            !
          </span>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${domId}-hint`}>
          <TextObject of={hint} />
        </p>
      )}
    </>
  );
  return isGroup ? (
    <fieldset class={error === undefined ? 'input' : 'input invalid'} aria-describedby={described || undefined}>
      <legend id={`${domId}-label`}>{label}</legend>
      {field}
      {notes}
    </fieldset>
  ) : (
    <div class={error === undefined ? 'input' : 'input invalid'}>
      <label id={`${domId}-label`} for={`${domId}-field`}>
        {label}
      </label>
      {field}
      {notes}
    </div>
  );
}
