import { useDesk } from './desk.ts';
import { Icon } from './icon.tsx';
import { PeopleBar } from './people-bar.tsx';
import type { Seen } from './seen.ts';
import { useTheme } from './theme.ts';

interface TopBarProps {
  readonly seen: Seen;
  readonly go: (person: string) => void;
  readonly isHeld: boolean;
  readonly hold: () => void;
  readonly isConnected: boolean;
}

/** The sandbox's own bar, over both: whose screen it is, whether the bot is there, and how it looks. */
export function TopBar({ seen, go, isHeld, hold, isConnected }: TopBarProps) {
  const { snapshot } = useDesk();
  const { theme, turn } = useTheme();
  const { state } = snapshot.botStatus;
  const lamp = isConnected && state === 'ready' ? 'lamp ok' : 'lamp warn';
  return (
    <header class="top">
      <PeopleBar seen={seen} go={go} />
      <p class="bot-status" role="status">
        <span class={lamp} aria-hidden="true" /> {isConnected ? `Bot ${state}` : 'Sandbox stopped'}
      </p>
      <button
        type="button"
        class="top-button"
        aria-pressed={isHeld}
        title="No message is edited on the screen any more, as where the connection is bad: to click a card that is out of date"
        onClick={hold}
      >
        {isHeld ? 'Edits held back' : 'Hold back edits'}
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
