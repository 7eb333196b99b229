import { useEffect, useState } from 'preact/hooks';
import { ClockBar } from './clock-bar.tsx';
import { Avatar, Icon } from './icons.tsx';
import { channelsOf, usePage } from './page-context.ts';
import { type ReadMarks, unread } from './read-marks.ts';

interface TopBarProps {
  readonly readMarks: ReadMarks;
  readonly go: (person: string) => void;
  readonly isFrozen: boolean;
  readonly freeze: () => void;
  readonly isConnected: boolean;
}

/** The sandbox's own bar, over both: whose screen it is, whether the bot is there, and how it looks. */
export function TopBar({ readMarks, go, isFrozen, freeze, isConnected }: TopBarProps) {
  const { snapshot } = usePage();
  const { theme, turn } = useTheme();
  const { state } = snapshot.botStatus;
  const lamp = isConnected && state === 'ready' ? 'lamp ok' : 'lamp warn';
  return (
    <header class="top">
      <PeopleBar readMarks={readMarks} go={go} />
      <ClockBar />
      <p class="bot-status" role="status">
        <span class={lamp} aria-hidden="true" />{' '}
        <span class="bot-words">{isConnected ? `Bot ${state}` : 'Sandbox stopped'}</span>
      </p>
      <button
        type="button"
        class="top-button"
        aria-pressed={isFrozen}
        title="No message is edited on the screen any more, as where the connection is bad: to click a card that is out of date"
        onClick={freeze}
      >
        {isFrozen ? 'Edits held back' : 'Hold back edits'}
      </button>
      <button
        type="button"
        class="top-button"
        onClick={turn}
        aria-label={`Colours: ${theme}`}
        title={`Colours: ${theme}`}
      >
        <Icon name={theme === 'dark' ? 'moon' : theme === 'light' ? 'sun' : 'half'} />
      </button>
    </header>
  );
}

/** Whose screen it is. Not a part of Slack: in the sandbox one person plays everybody. */
function PeopleBar({ readMarks, go }: { readMarks: ReadMarks; go: (person: string) => void }) {
  const { snapshot, me } = usePage();
  const unreadOf = (id: string) =>
    [snapshot.directs[id] ?? '', ...channelsOf(snapshot, id).map((channel) => channel.id)]
      .map((channel) => unread(snapshot, readMarks, id, channel).count)
      .reduce((sum, count) => sum + count, 0);
  return (
    <nav class="people" aria-label="Who you are">
      {Object.values(snapshot.people).map(({ id, realName }) => {
        const count = id === me ? 0 : unreadOf(id);
        return (
          <button type="button" key={id} class="person" aria-pressed={id === me} onClick={() => go(id)}>
            <span class="person-avatar">
              <Avatar name={realName} size={28} />
              {count > 0 && <span class="dot" aria-hidden="true" />}
            </span>
            <span class="person-words">
              <b>{realName.split(' ')[0]}</b>
              <small>{snapshot.roles[id] ?? ''}</small>
            </span>
            {count > 0 && <span class="visually-hidden">, {count} unread</span>}
          </button>
        );
      })}
    </nav>
  );
}

type Theme = 'system' | 'light' | 'dark';

const KEY = 'proxy-desk-sandbox-theme';
const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const;

/** The colours follow the system until somebody chooses. */
function useTheme(): { theme: Theme; turn: () => void } {
  const [theme, setTheme] = useState<Theme>(() => readTheme(localStorage.getItem(KEY)));
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return { theme, turn: () => setTheme(NEXT[theme]) };
}

function readTheme(saved: string | null): Theme {
  return saved === 'light' || saved === 'dark' ? saved : 'system';
}
