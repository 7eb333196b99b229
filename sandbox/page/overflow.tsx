import { useRef, useState } from 'preact/hooks';
import { type Dict, dictsAt, textAt } from '../slack/json.ts';
import { useSurface } from './surface.ts';
import { TextObject } from './text.tsx';

/** The menu behind "…". */
export function Overflow({ block, element }: { block: string; element: Dict }) {
  const surface = useSurface();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class="overflow">
      <button
        ref={button}
        type="button"
        class="button plain-button"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        …
      </button>
      {isOpen && (
        <div
          class="menu"
          role="menu"
          tabIndex={-1}
          ref={(node) => node?.querySelector('button')?.focus()}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
        >
          {dictsAt(element, 'options').map((option) => (
            <button
              type="button"
              role="menuitem"
              key={textAt(option, 'value')}
              onClick={() => {
                close();
                void surface.press(block, element, { type: 'overflow', selected_option: option });
              }}
            >
              <TextObject of={option['text']} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
