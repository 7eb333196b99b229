import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { completionsFor } from './completions.ts';
import { focusTyping } from './focus.ts';
import { Icon } from './icons.tsx';
import { MenuButton } from './menu.tsx';
import { usePage } from './page-context.ts';
import { act } from './server.ts';
import { useShortcuts } from './shortcuts.ts';

/** The message box. What begins with a slash is a command, and is completed from the app's manifest; threads take none. */
export function Composer({ channel, label, threadTs }: { channel: string; label: string; threadTs?: string }) {
  const { snapshot, me, toast } = usePage();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const [isDismissed, setDismissed] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const shortcuts = useShortcuts();
  const id = useId();
  const offered = threadTs === undefined ? completionsFor(text, snapshot.app) : [];
  // A whole word leaves nothing to complete.
  const isOpen = !isDismissed && offered.length > 0 && !(offered.length === 1 && offered[0]?.text === text);
  const isWholeCommand = snapshot.app.commands.some(
    ({ command }) => text === command || text.startsWith(`${command} `),
  );
  // A half-written command is no command: Enter takes the first completion. After a whole one, Enter sends.
  const chosen = at >= 0 ? at : isWholeCommand ? -1 : 0;

  // After a channel or a person is chosen, what is typed goes into the box.
  useLayoutEffect(() => focusTyping(box.current), []);
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    node.style.height = 'auto';
    node.style.height = `${node.scrollHeight}px`;
  }, [text]);

  const put = (typed: string) => {
    setText(typed);
    setAt(-1);
    setDismissed(false);
    setRefused(null);
  };
  const take = (index: number) => {
    const completion = offered[index];
    if (completion) put(completion.text);
    box.current?.focus();
  };
  const send = async () => {
    const words = text.trim();
    if (words === '') return;
    const command = snapshot.app.commands.find(({ command: name }) => words === name || words.startsWith(`${name} `));
    if (words.startsWith('/') && !command) {
      const [name = ''] = words.split(/\s/);
      return setRefused(
        `${name} is not a valid command. In Slack, all messages that start with “/” are interpreted as commands.`,
      );
    }
    if (command && threadTs !== undefined) return setRefused(`${command.command} is not supported in threads. Sorry!`);
    put('');
    const result = await act(
      command
        ? {
            do: 'command',
            user: me,
            channel,
            command: command.command,
            text: words.slice(command.command.length).trim(),
          }
        : { do: 'say', user: me, channel, text: words, threadTs },
    );
    if (!result.ok) toast(result.error);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((chosen + step + offered.length) % offered.length);
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault();
      setDismissed(true);
    } else if (isOpen && event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      take(Math.max(chosen, 0));
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (isOpen && chosen >= 0) take(chosen);
      else void send();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {isOpen && (
        <div class="completions" role="listbox" id={`${id}-completions`} aria-label="Commands">
          {offered.map((completion, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box; aria-activedescendant says which
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys
            <div
              role="option"
              id={`${id}-${index}`}
              key={completion.shown}
              class={index === chosen ? 'completion at' : 'completion'}
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(index)}
            >
              <b>{completion.shown}</b>
              {completion.about && <span>{completion.about}</span>}
            </div>
          ))}
          <p class="completions-keys" aria-hidden="true">
            <kbd>Tab</kbd> completes · <kbd>↑</kbd> <kbd>↓</kbd> chooses · <kbd>Enter</kbd> sends
          </p>
        </div>
      )}
      <span class="visually-hidden" role="status">
        {isOpen ? `${offered.length} completions` : ''}
      </span>
      {refused && (
        <p class="composer-refused" role="alert">
          {refused}
        </p>
      )}
      <div class="composer-box">
        {threadTs === undefined && shortcuts.length > 0 && (
          <MenuButton label="Shortcuts" class="composer-shortcuts" title="Shortcuts" items={shortcuts}>
            <Icon name="plus" />
          </MenuButton>
        )}
        <textarea
          ref={box}
          rows={1}
          data-composer
          aria-label={label}
          placeholder={label}
          aria-controls={`${id}-completions`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && chosen >= 0 ? `${id}-${chosen}` : undefined}
          value={text}
          onInput={(event) => put(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="send" aria-label="Send" disabled={text.trim() === ''}>
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
