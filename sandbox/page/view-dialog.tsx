import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { clientErrors } from '../slack/client-checks.ts';
import type { ViewRecord } from '../slack/types.ts';
import { Blocks } from './blocks.tsx';
import { useDesk } from './desk.ts';
import { keepFocusIn } from './focus.ts';
import { Icon } from './icon.tsx';
import { act } from './server.ts';
import { SurfaceContext } from './surface.ts';
import { plainOf, TextObject } from './text.tsx';
import { useViewSurface } from './view-surface.ts';

/** One view of a modal, as Slack frames it. */
export function ViewDialog({
  view,
  height,
  close,
}: {
  view: ViewRecord;
  height: number;
  close: (all: boolean) => Promise<void>;
}) {
  const { snapshot, toast } = useDesk();
  const node = useRef<HTMLDivElement>(null);
  const id = useId();
  const { surface, filled, refuse } = useViewSurface(view);
  const [isSubmitting, setSubmitting] = useState(false);

  // What had the focus may be gone by an update: nothing is more lost than a person whose keys go nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) node.current?.focus();
  });

  const submit = async () => {
    if (isSubmitting) return;
    const errors = clientErrors(filled());
    refuse(errors);
    if (Object.keys(errors).length > 0) return focusFirstError(node.current);
    setSubmitting(true);
    const result = await act({ do: 'submit', view: view.id });
    setSubmitting(false);
    if (!result.ok) toast(result.error);
  };
  const hasServerErrors = Object.keys(view.errors).join();
  useEffect(() => {
    if (hasServerErrors) focusFirstError(node.current);
  }, [hasServerErrors]);

  return (
    <SurfaceContext.Provider value={surface}>
      <div
        ref={node}
        class="modal"
        role="dialog"
        aria-modal="true"
        aria-labelledby={`${id}-title`}
        aria-busy={isSubmitting}
        tabIndex={-1}
        data-height={height}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) void close(false);
          if (node.current) keepFocusIn(node.current, event);
        }}
      >
        <form
          novalidate
          onSubmit={(event) => {
            event.preventDefault();
            if (view.submit) void submit();
          }}
        >
          <header class="modal-head">
            <span class="app-icon" aria-hidden="true">
              {snapshot.app.name.slice(0, 1)}
            </span>
            <h2 id={`${id}-title`}>
              <TextObject of={view.title} />
            </h2>
            <button type="button" class="icon-button" aria-label="Close" onClick={() => void close(true)}>
              <Icon name="close" />
            </button>
          </header>
          {view.trouble && (
            <p class="trouble" role="alert">
              {view.trouble}
            </p>
          )}
          <div class="modal-body">
            <Blocks blocks={view.blocks} />
          </div>
          <footer class="modal-buttons">
            <button type="button" class="button plain-button" onClick={() => void close(false)}>
              {view.close ? <TextObject of={view.close} /> : 'Cancel'}
            </button>
            {view.submit && (
              <button
                type="submit"
                class={isSubmitting ? 'button primary waiting' : 'button primary'}
                aria-busy={isSubmitting || undefined}
                aria-disabled={isSubmitting || undefined}
                aria-label={plainOf(view.submit)}
              >
                <TextObject of={view.submit} />
              </button>
            )}
          </footer>
        </form>
      </div>
    </SurfaceContext.Provider>
  );
}

function focusFirstError(node: HTMLElement | null): void {
  // After the errors are drawn.
  requestAnimationFrame(() => node?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}
