import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Dict, dictAt, dictsAt, textAt } from '../slack/json.ts';
import { Field } from './fields.tsx';
import { keepFocusIn, useEscape } from './focus.ts';
import { MenuButton } from './menu.tsx';
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

function Overflow({ block, element }: { block: string; element: Dict }) {
  const surface = useSurface();
  const items = dictsAt(element, 'options').map((option) => ({
    key: textAt(option, 'value') ?? '',
    label: <TextObject of={option['text']} />,
    choose: () => void surface.press(block, element, { type: 'overflow', selected_option: option }),
  }));
  return (
    <MenuButton label="More actions" class="button plain-button" items={items}>
      …
    </MenuButton>
  );
}

/** "Are you sure?", as an element with `confirm` asks it. */
function ConfirmDialog({ dialog, done }: { dialog: Dict; done: (isYes: boolean) => void }) {
  const node = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => node.current?.querySelector<HTMLElement>('[data-deny]')?.focus(), []);
  useEscape(node, () => done(false));
  return (
    <div class="scrim confirm-scrim">
      <div
        ref={node}
        class="confirm"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        onKeyDown={(event) => {
          if (node.current) keepFocusIn(node.current, event);
        }}
      >
        <h2 id={`${id}-title`}>
          <TextObject of={dialog['title']} />
        </h2>
        <p id={`${id}-text`}>
          <TextObject of={dialog['text']} />
        </p>
        <div class="modal-buttons">
          <button type="button" class="button plain-button" data-deny onClick={() => done(false)}>
            <TextObject of={dialog['deny']} />
          </button>
          <button type="button" class={`button ${textAt(dialog, 'style') ?? 'primary'}`} onClick={() => done(true)}>
            <TextObject of={dialog['confirm']} />
          </button>
        </div>
      </div>
    </div>
  );
}
