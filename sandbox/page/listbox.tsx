import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { type Dict, textAt } from '../slack/json.ts';
import { TextObject } from './text.tsx';

/** The list under a field to type in. */
interface List {
  readonly isOpen: boolean;
  readonly query: string | null;
  readonly options: readonly Dict[];
  /** The highlighted option; -1: none. */
  readonly at: number;
  readonly setAt: (index: number) => void;
  readonly choose: (option: Dict) => void;
  /** By a key. */
  readonly open: () => void;
  readonly close: () => void;
}

/** The keys of ARIA's "editable combobox with list autocomplete". */
export function listKeys({ isOpen, query, options, at, setAt, choose, open, close }: List) {
  return (event: KeyboardEvent): void => {
    if (!isOpen) {
      // Enter opens too; it must not submit the form around it.
      if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) {
        event.preventDefault();
        open();
      }
      return;
    }
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const from = at === -1 && step === -1 ? 0 : at;
        if (options.length > 0) setAt((from + step + options.length) % options.length);
        return;
      }
      case 'Enter': {
        event.preventDefault();
        const option = options[at];
        if (option) choose(option);
        // Nothing was typed and nothing is offered: the choice stays.
        else if (query === '') close();
        return;
      }
      case 'Escape':
        event.preventDefault();
        // Closes the list alone, not the modal around it.
        event.stopPropagation();
        close();
        return;
      case 'Tab':
        close();
    }
  };
}

interface OptionListProps extends Pick<List, 'options' | 'at' | 'setAt' | 'choose'> {
  readonly id: string;
  readonly labelledBy: string;
  readonly anchor: RefObject<HTMLElement | null>;
  /** A line in place of options, or over them. */
  readonly line: string | null;
  /** Where several are chosen: whether this one is. */
  readonly isChosen?: (option: Dict) => boolean;
}

export function OptionList(props: OptionListProps) {
  const { id, labelledBy, anchor, line, options, at, setAt, choose, isChosen } = props;
  return (
    <Popup anchor={anchor}>
      <div class="listbox" role="listbox" id={id} aria-labelledby={labelledBy} aria-multiselectable={!!isChosen}>
        {line && <div class="listbox-line">{line}</div>}
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field; aria-activedescendant says which
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            role="option"
            key={`${textAt(option, 'value')} ${index}`}
            id={`${id}-${index}`}
            class={index === at ? 'option at' : 'option'}
            aria-selected={isChosen ? isChosen(option) : index === at}
            ref={(node) => {
              if (index === at) node?.scrollIntoView({ block: 'nearest' });
            }}
            // Keeps the focus in the field; losing it closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(option)}
          >
            <TextObject of={option['text']} />
            {isChosen?.(option) && <span aria-hidden="true"> ✓</span>}
          </div>
        ))}
      </div>
    </Popup>
  );
}

const GAP_PX = 4;
const LEAST_PX = 140;

/** A list under (or above) a field, on top of everything: a scrolling modal would cut it off. */
function Popup({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ComponentChildren }) {
  const popup = useRef<HTMLDivElement>(null);
  const put = useCallback(() => {
    const node = popup.current;
    const around = anchor.current?.getBoundingClientRect();
    if (!node || !around) return;
    const below = innerHeight - around.bottom - GAP_PX * 2;
    const above = around.top - GAP_PX * 2;
    const isBelow = below >= LEAST_PX || below >= above;
    node.style.left = `${around.left}px`;
    node.style.width = `${around.width}px`;
    node.style.maxHeight = `${Math.min(280, isBelow ? below : above)}px`;
    node.style.top = isBelow ? `${around.bottom + GAP_PX}px` : '';
    node.style.bottom = isBelow ? '' : `${innerHeight - around.top + GAP_PX}px`;
  }, [anchor]);
  // Always: the field grows with what is chosen.
  useLayoutEffect(put);
  useLayoutEffect(() => {
    addEventListener('scroll', put, true);
    addEventListener('resize', put);
    return () => {
      removeEventListener('scroll', put, true);
      removeEventListener('resize', put);
    };
  }, [put]);
  return (
    <div class="popup" ref={popup}>
      {children}
    </div>
  );
}
