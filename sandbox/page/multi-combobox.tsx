import { useRef, useState } from 'preact/hooks';
import { stateValue } from '../slack/inputs.ts';
import { type Dict, textAt } from '../slack/json.ts';
import { listKeys, OptionList } from './listbox.tsx';
import { useOptions } from './options.ts';
import { chosenOptions, type FieldProps, useSurface } from './surface.ts';
import { plainOf } from './text.tsx';

/** A select of several: what is chosen stands in the field, each with a cross; the list stays open until one has done. */
export function MultiCombobox({ block, element, isOptional, tellsApp, dom }: FieldProps) {
  const surface = useSurface();
  const action = String(element['action_id']);
  const type = String(element['type']);
  const chosen = chosenOptions(surface.value(block, action));
  const around = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<string | null>(null);
  const [mark, setMark] = useState<{ readonly query: string; readonly index: number } | null>(null);
  const { options, state } = useOptions({ surface, block, action, element, query });

  const isOpen = query !== null;
  const most = Number(element['max_selected_items'] ?? Number.POSITIVE_INFINITY);
  const isFull = chosen.length >= most;
  const at = mark !== null && mark.query === query ? mark.index : query ? 0 : -1;
  const setAt = (index: number) => setMark({ query: query ?? '', index });
  const isSame = (option: Dict) => (other: Dict) => textAt(other, 'value') === textAt(option, 'value');
  const put = (next: readonly Dict[]) => {
    const value = stateValue(type, next);
    surface.enter(block, action, value);
    box.current?.focus();
    if (tellsApp) void surface.press(block, element, value);
  };
  const without = (option: Dict) => put(chosen.filter((other) => !isSame(option)(other)));
  const choose = (option: Dict) => {
    if (chosen.some(isSame(option))) return without(option);
    if (isFull) return;
    put([...chosen, option]);
    // The next one is looked for anew, at the same place of the list.
    if (query !== '') setQuery('');
    setMark(query === '' ? mark : null);
  };
  const close = () => {
    setQuery(null);
    setMark(null);
  };
  const open = () => {
    setQuery('');
    setMark({ query: '', index: 0 });
  };
  const onKey = listKeys({ isOpen, query, options, at, setAt, choose, open, close });
  const listId = `${dom.id}-list`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chosen ones goes to the field
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
    <div
      class="multi field-box"
      ref={around}
      aria-invalid={dom.isInvalid || undefined}
      onClick={() => box.current?.focus()}
    >
      {chosen.map((option) => (
        <span class="chip" key={textAt(option, 'value')}>
          <span>{plainOf(option['text'])}</span>
          <button
            type="button"
            aria-label={`Remove ${plainOf(option['text'])}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => without(option)}
          >
            ×
          </button>
        </span>
      ))}
      <input
        ref={box}
        id={dom.id}
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
        placeholder={chosen.length > 0 ? '' : plainOf(element['placeholder']) || 'Select items'}
        value={query ?? ''}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onClick={() => setQuery((now) => now ?? '')}
        onBlur={close}
        onKeyDown={(event) => {
          const last = chosen.at(-1);
          if (event.key === 'Backspace' && !query && last) without(last);
          else onKey(event);
        }}
      />
      <span class="visually-hidden" role="status">
        {isOpen ? `${chosen.length} chosen. ${state.announce}` : ''}
      </span>
      {isOpen && (
        <OptionList
          id={listId}
          labelledBy={dom.labelledBy}
          anchor={around}
          line={state.line ?? (isFull ? `No more than ${most} can be chosen` : null)}
          options={options}
          at={at}
          setAt={setAt}
          choose={choose}
          isChosen={(option) => chosen.some(isSame(option))}
        />
      )}
    </div>
  );
}
