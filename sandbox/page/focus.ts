import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

export function focusableIn(node: HTMLElement): HTMLElement[] {
  return [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((element) => element.offsetParent !== null);
}

/** Keeps Tab inside a dialog; called on its keydown. */
export function keepFocusIn(node: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const all = focusableIn(node);
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const other = event.shiftKey ? all.at(-1) : all[0];
  const here = document.activeElement;
  if (here !== edge && here !== node && node.contains(here)) return;
  event.preventDefault();
  (here === node && !event.shiftKey ? all[0] : other)?.focus();
}

/** Focuses a text field; not on a touch screen, whose keyboard would cover half of it. */
export function focusTyping(box: HTMLElement | null | undefined): void {
  if (!matchMedia('(pointer: coarse)').matches) box?.focus();
}

/** Focuses the message box; that of the thread, where one is open. */
export function focusComposer(): void {
  focusTyping([...document.querySelectorAll<HTMLElement>('[data-composer]')].at(-1));
}

/** Escape closes a dialog wherever the focus is; of several the one on top, which stands last in the document. */
export function useEscape(dialog: RefObject<HTMLElement | null>, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  // A layout effect runs before the next key can come.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      const open = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')];
      if (open.at(-1) !== dialog.current) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [dialog]);
}

/** F6 goes from Slack to the tools beside it and back, also out of a modal, which keeps Tab to itself. */
export function usePaneKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6') return;
      event.preventDefault();
      const isInTools = document.activeElement?.closest('.tools') != null;
      const target = isInTools
        ? (document.querySelector<HTMLElement>('[role=dialog]') ??
          document.querySelector<HTMLElement>('[data-composer]'))
        : document.querySelector<HTMLElement>('.tools [role=tab][aria-selected=true]');
      target?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
