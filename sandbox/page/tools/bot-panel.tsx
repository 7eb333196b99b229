import { useState } from 'preact/hooks';
import { clockTime } from '../dates.ts';
import { usePage } from '../page-context.ts';
import { act } from '../server.ts';
import { Copy } from './copy.tsx';

/** The bot is the product itself, in a process of its own. */
export function BotPanel() {
  const { snapshot, toast } = usePage();
  const { state, pid, detail } = snapshot.botStatus;
  const [isBusy, setBusy] = useState(false);
  const restart = async (how: 'stop' | 'crash') => {
    setBusy(true);
    const result = await act({ do: 'bot_restart', how });
    setBusy(false);
    if (!result.ok) toast(result.error);
  };
  return (
    <div class="tool">
      <section aria-label="The bot's process">
        <h3>The bot's process</h3>
        <p role="status">
          <span class={state === 'ready' ? 'lamp ok' : 'lamp warn'} aria-hidden="true" /> {state} · process {pid} ·
          /readyz: {detail}
        </p>
        <p class="button-row">
          <button
            type="button"
            class="button plain-button small"
            disabled={isBusy}
            onClick={() => void restart('stop')}
          >
            {state === 'stopped' ? 'Start' : 'Restart'}
          </button>
          <button type="button" class="button danger small" disabled={isBusy} onClick={() => void restart('crash')}>
            Crash and restart
          </button>
        </p>
        <small>A crash is SIGKILL: try it while a purchase is being sent.</small>
      </section>
      <section aria-label="The bot's ledger">
        <div class="tool-head">
          <h3>Its ledger</h3>
          <Copy text={() => snapshot.ledgerCommand} label="Copy command" />
        </div>
        <pre class="command">{snapshot.ledgerCommand}</pre>
        {snapshot.aheadMs > 0 && (
          <small>In a terminal the time of this machine counts, not the one put forward here.</small>
        )}
      </section>
      <h3>Its output</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <ol class="log" tabIndex={0} aria-label="Output of the bot">
        {snapshot.log.toReversed().map((line, index) => (
          <LogLine key={String(snapshot.log.length - index)} line={line} />
        ))}
      </ol>
    </div>
  );
}

function LogLine({ line }: { line: string }) {
  const entry = readEntry(line);
  if (!entry) return <li>{line}</li>;
  const { level, time, msg, ...rest } = entry;
  return (
    <li class={Number(level) >= 50 ? 'log-error' : Number(level) >= 40 ? 'log-warn' : ''}>
      <details>
        <summary>
          <time>{clockTime(new Date(time as string | number).getTime())}</time> {String(msg)}
        </summary>
        <pre>{JSON.stringify(rest, null, 2)}</pre>
      </details>
    </li>
  );
}

function readEntry(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
