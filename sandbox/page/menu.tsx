import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  readonly key: string;
  readonly label: ComponentChildren;
  /** A line beneath the label. */
  readonly about?: string;
  readonly choose: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly class: string;
  readonly items: readonly MenuItem[];
  /** A line over the items. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** Below this part of the window a menu opens upwards. */
const LOW = 0.6;

/** A button with a menu, after ARIA's "menu button": arrows go through it, Escape and a click elsewhere close it. */
export function MenuButton({ label, class: look, items, title, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  /** Upwards, where there is little room beneath. */
  const [isUp, setUp] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // A layout effect: the focus is in the menu before the next key can come.
  useLayoutEffect(() => {
    if (!isOpen) return;
    menu.current?.querySelector('button')?.focus();
    const elsewhere = (event: Event) => {
      if (!around.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', elsewhere);
    addEventListener('focusin', elsewhere);
    return () => {
      removeEventListener('pointerdown', elsewhere);
      removeEventListener('focusin', elsewhere);
    };
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    switch (event.key) {
      case 'Escape':
        // Closes the menu alone, not the modal around it.
        event.stopPropagation();
        return close();
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        all.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus();
    }
  };
  return (
    <div class="menu-around" ref={around}>
      <button
        ref={button}
        type="button"
        class={look}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setUp(currentTarget.getBoundingClientRect().bottom > innerHeight * LOW);
          setOpen(!isOpen);
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div
          class={isUp ? 'menu up' : 'menu'}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          ref={menu}
          onKeyDown={onKeyDown}
        >
          {title !== undefined && <p class="menu-title">{title}</p>}
          {items.map((item) => (
            <button
              type="button"
              role="menuitem"
              key={item.key}
              onClick={() => {
                close();
                item.choose();
              }}
            >
              {item.label}
              {item.about && <small>{item.about}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
