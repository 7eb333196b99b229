import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { clientErrors } from '../slack/client-checks.ts';
import type { ViewRecord } from '../slack/types.ts';
import { Blocks } from './blocks.tsx';
import { focusableIn, focusComposer, keepFocusIn, useEscape } from './focus.ts';
import { Icon } from './icons.tsx';
import { usePage } from './page-context.ts';
import { act } from './server.ts';
import { SurfaceContext } from './surface.ts';
import { plainOf, TextObject } from './text.tsx';
import { useViewSurface } from './view-surface.ts';

/** The open modal of this person: the top of its views. Focus goes in when it opens, and back to where it was when it closes. */
export function Modal({ stack }: { stack: readonly ViewRecord[] }) {
  const { me, toast } = usePage();
  const around = useRef<HTMLDivElement>(null);
  const top = stack.at(-1);
  const isOpen = top !== undefined;
  /** view id → the element that had the focus when another view was pushed over it. */
  const left = useRef(new Map<string, string>());

  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      left.current.clear();
      const isThere =
        before instanceof HTMLElement && before !== document.body && before.isConnected && before.offsetParent !== null;
      if (isThere) before.focus();
      else focusComposer();
    };
  }, [isOpen]);

  useLayoutEffect(() => {
    const node = around.current;
    if (!node || !top) return;
    const key = left.current.get(top.id);
    const back = key === undefined ? null : node.querySelector<HTMLElement>(`[data-element="${CSS.escape(key)}"]`);
    const chosen =
      back ??
      node.querySelector<HTMLElement>('[data-focus-first]') ??
      firstField(node) ??
      node.querySelector<HTMLElement>('[role=dialog]');
    chosen?.focus();
    const remember = (event: FocusEvent) => {
      const element = (event.target as HTMLElement).dataset['element'];
      if (element !== undefined) left.current.set(top.id, element);
    };
    node.addEventListener('focusin', remember);
    return () => node.removeEventListener('focusin', remember);
  }, [top?.id]);

  if (!top) return null;
  const close = async (all: boolean) => {
    const result = await act({ do: 'close', user: me, all });
    if (!result.ok) toast(result.error);
  };
  return (
    <div class="scrim" ref={around}>
      <ViewDialog key={top.id} view={top} height={stack.length} close={close} />
    </div>
  );
}

function firstField(node: HTMLElement): HTMLElement | undefined {
  const body = node.querySelector<HTMLElement>('.modal-body');
  return body ? focusableIn(body).find((element) => element.matches('input, textarea')) : undefined;
}

/** One view of a modal, as Slack frames it. */
function ViewDialog({
  view,
  height,
  close,
}: {
  view: ViewRecord;
  height: number;
  close: (all: boolean) => Promise<void>;
}) {
  const { snapshot, toast } = usePage();
  const node = useRef<HTMLDivElement>(null);
  const id = useId();
  useEscape(node, () => void close(false));
  const { surface, filled, refuse } = useViewSurface(view);
  const [isSubmitting, setSubmitting] = useState(false);

  // An update may have removed the element with the focus: the dialog takes it, so that keys still work.
  useLayoutEffect(() => {
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
  useLayoutEffect(() => {
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
