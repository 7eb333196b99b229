import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Dict, textAt } from '../slack/json.ts';
import { keepFocusIn } from './focus.ts';
import { TextObject } from './text.tsx';

/** "Are you sure?", as an element with `confirm` asks it. */
export function ConfirmDialog({ dialog, done }: { dialog: Dict; done: (isYes: boolean) => void }) {
  const node = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => node.current?.querySelector<HTMLElement>('[data-deny]')?.focus(), []);
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
          if (event.key === 'Escape') {
            event.stopPropagation();
            done(false);
          }
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
