import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly badge?: number }[];
  readonly at: Id;
  readonly go: (id: Id) => void;
  readonly children: ComponentChildren;
}

/** Tabs with arrow keys, as ARIA has them. */
export function Tabs<Id extends string>({ label, tabs, at, go, children }: TabsProps<Id>) {
  const base = useId();
  const step = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const next = tabs[(tabs.findIndex(({ id }) => id === at) + by + tabs.length) % tabs.length];
    if (!next) return;
    go(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
        {tabs.map((tab) => (
          <button
            type="button"
            role="tab"
            key={tab.id}
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === at}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === at ? 0 : -1}
            onClick={() => go(tab.id)}
          >
            {tab.label}
            {tab.badge ? <span class="badge">{tab.badge}</span> : null}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${at}`}>
        {children}
      </div>
    </>
  );
}
