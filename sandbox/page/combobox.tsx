import { useRef, useState } from 'preact/hooks';
import { stateValue } from '../slack/inputs.ts';
import { type Dict, textAt } from '../slack/json.ts';
import type { StateValue } from '../slack/types.ts';
import { listKeys, OptionList } from './listbox.tsx';
import { useOptions } from './options.ts';
import { chosenOption, type FieldProps, useSurface } from './surface.ts';
import { plainOf } from './text.tsx';

/** A select of one: a field to type in, and a list under it. */
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
  const open = () => {
    setQuery('');
    setByKey(true);
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
        onKeyDown={listKeys({ isOpen, query, options, at, setAt, choose, open, close })}
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
        <OptionList
          id={listId}
          labelledBy={dom.labelledBy}
          anchor={box}
          line={state.line}
          options={options}
          at={at}
          setAt={setAt}
          choose={choose}
        />
      )}
    </div>
  );
}

/** Selects of people and channels hold an id; all others the option itself. */
function idIn(value: StateValue | undefined): string | undefined {
  return textAt(value, 'selected_user') ?? textAt(value, 'selected_channel');
}
