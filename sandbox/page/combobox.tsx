import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { stateValue } from '../slack/inputs.ts';
import { type Dict, textAt } from '../slack/json.ts';
import type { StateValue } from '../slack/types.ts';
import { useOptions } from './options.ts';
import { chosenOption, type FieldProps, useSurface } from './surface.ts';
import { plainOf, TextObject } from './text.tsx';

/** Every select: a field to type in, and a list under it. The pattern is ARIA's "editable combobox with list autocomplete". */
export function Combobox({ block, element, isOptional, tellsApp, dom }: FieldProps) {
  const surface = useSurface();
  const action = String(element['action_id']);
  const type = String(element['type']);
  const value = surface.value(block, action);
  const chosen = chosenOption(value);
  const box = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<string | null>(null);
  /** The highlighted option, with the query for which it was highlighted; another query resets it. */
  const [mark, setMark] = useState<{ readonly query: string; readonly index: number } | null>(null);
  /** The list was opened by a key: with nothing chosen yet, its first option is highlighted. */
  const [isByKey, setByKey] = useState(false);
  const isOpen = query !== null;
  const { options, state } = useOptions({ surface, block, action, element, query });
  const id = idIn(value);
  const label = chosen ? plainOf(chosen['text']) : id === undefined ? '' : surface.nameOf(id, type);

  const held = textAt(chosen, 'value') ?? id;
  const start =
    held === undefined ? (isByKey ? 0 : -1) : options.findIndex((option) => textAt(option, 'value') === held);
  const at = mark !== null && mark.query === query ? mark.index : query ? 0 : start;
  const setAt = (index: number) => setMark({ query: query ?? '', index });

  const close = () => {
    setQuery(null);
    setMark(null);
    setByKey(false);
  };
  const choose = (option: Dict | null) => {
    const next = stateValue(type, option === null ? undefined : (option['entity'] ?? option));
    surface.enter(block, action, next);
    close();
    box.current?.focus();
    if (tellsApp) void surface.press(block, element, next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) {
      // Enter opens too; it must not submit the form around it.
      if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) {
        event.preventDefault();
        setQuery('');
        setByKey(true);
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
  const listId = `${dom.id}-list`;
  return (
    <div class="combobox">
      <input
        ref={box}
        id={dom.id}
        class="field-box"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[at] ? `${listId}-${at}` : undefined}
        aria-describedby={dom.describedBy || undefined}
        aria-required={!isOptional}
        aria-invalid={dom.isInvalid || undefined}
        data-focus-first={element['focus_on_load'] === true ? true : undefined}
        placeholder={label || plainOf(element['placeholder']) || 'Select an item'}
        data-has-choice={label !== '' || undefined}
        value={query ?? label}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onClick={() => setQuery((now) => now ?? '')}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {chosen && isOptional && !isOpen ? (
        <button type="button" class="combobox-clear" aria-label={`Clear ${label}`} onClick={() => choose(null)}>
          ×
        </button>
      ) : (
        <span class="combobox-arrow" aria-hidden="true" />
      )}
      <span class="visually-hidden" role="status">
        {isOpen ? state.announce : ''}
      </span>
      {isOpen && (
        <Popup anchor={box}>
          <div class="listbox" role="listbox" id={listId} aria-labelledby={dom.labelledBy}>
            {state.line && <div class="listbox-line">{state.line}</div>}
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field; aria-activedescendant says which
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                role="option"
                key={`${textAt(option, 'value')} ${index}`}
                id={`${listId}-${index}`}
                class={index === at ? 'option at' : 'option'}
                aria-selected={index === at}
                ref={(node) => {
                  if (index === at) node?.scrollIntoView({ block: 'nearest' });
                }}
                // Keeps the focus in the field; losing it closes the list.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setAt(index)}
                onClick={() => choose(option)}
              >
                <TextObject of={option['text']} />
              </div>
            ))}
          </div>
        </Popup>
      )}
    </div>
  );
}

/** Selects of people and channels hold an id; all others the option itself. */
function idIn(value: StateValue | undefined): string | undefined {
  return textAt(value, 'selected_user') ?? textAt(value, 'selected_channel');
}

const GAP_PX = 4;
const LEAST_PX = 140;

/** A list under (or above) a field, on top of everything: a scrolling modal would cut it off. */
function Popup({ anchor, children }: { anchor: RefObject<HTMLElement | null>; children: ComponentChildren }) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const put = () => {
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
    };
    put();
    addEventListener('scroll', put, true);
    addEventListener('resize', put);
    return () => {
      removeEventListener('scroll', put, true);
      removeEventListener('resize', put);
    };
  }, [anchor]);
  return (
    <div class="popup" ref={popup}>
      {children}
    </div>
  );
}
