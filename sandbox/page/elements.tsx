import { useRef, useState } from 'preact/hooks';
import { type Dict, dictAt, textAt } from '../slack/json.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Field } from './fields.tsx';
import { Overflow } from './overflow.tsx';
import { elementKey, useSurface } from './surface.ts';
import { plainOf, TextObject } from './text.tsx';

/** An element outside an input block: the app hears of every use. */
export function Element({ block, element }: { block: string; element: Dict }) {
  const surface = useSurface();
  switch (element['type']) {
    case 'button':
      return <Button block={block} element={element} />;
    case 'overflow':
      return <Overflow block={block} element={element} />;
    default: {
      const id = `${surface.id}-${block}-${String(element['action_id'])}`;
      const name = plainOf(element['placeholder']) || 'Choose';
      return (
        <div class="loose-field">
          <label class="visually-hidden" id={`${id}-label`} for={id}>
            {name}
          </label>
          <Field
            block={block}
            element={element}
            isOptional={false}
            tellsApp
            dom={{ id, labelledBy: `${id}-label`, describedBy: '', isInvalid: false }}
          />
        </div>
      );
    }
  }
}

function Button({ block, element }: { block: string; element: Dict }) {
  const surface = useSurface();
  const [asks, setAsks] = useState(false);
  const node = useRef<HTMLButtonElement>(null);
  const key = elementKey(block, element['action_id']);
  const isPressed = surface.pressed === key;
  const dialog = dictAt(element, 'confirm');
  const style = textAt(element, 'style');
  return (
    <>
      <button
        ref={node}
        type="button"
        class={`button ${style ?? 'plain-button'}${isPressed ? ' waiting' : ''}`}
        data-element={key}
        aria-label={textAt(element, 'accessibility_label')}
        aria-busy={isPressed || undefined}
        // Not `disabled`, which would throw the focus away.
        aria-disabled={surface.isBusy || undefined}
        onClick={() => {
          if (surface.isBusy) return;
          if (dialog) setAsks(true);
          else void surface.press(block, element);
        }}
      >
        <TextObject of={element['text']} />
      </button>
      {asks && dialog && (
        <ConfirmDialog
          dialog={dialog}
          done={(isYes) => {
            setAsks(false);
            node.current?.focus();
            if (isYes) void surface.press(block, element);
          }}
        />
      )}
    </>
  );
}
