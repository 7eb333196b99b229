import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewRecord } from '../slack/types.ts';
import { useDesk } from './desk.ts';
import { focusableIn } from './focus.ts';
import { act } from './server.ts';
import { ViewDialog } from './view-dialog.tsx';

/** The open modal of this person: the top of its views. Focus goes in when it opens, and back to where it was when it closes. */
export function Modal({ stack }: { stack: readonly ViewRecord[] }) {
  const { me, toast } = useDesk();
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
      (isThere ? before : document.querySelector<HTMLElement>('[data-composer]'))?.focus();
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
