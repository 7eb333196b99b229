import { useEffect } from 'preact/hooks';

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
