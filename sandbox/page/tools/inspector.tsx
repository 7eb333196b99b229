import { useState } from 'preact/hooks';
import type { Snapshot, Trace } from '../../demo/wire.ts';
import { clockTime } from '../dates.ts';
import { Icon } from '../icons.tsx';
import { usePage } from '../page-context.ts';
import { Copy } from './copy.tsx';

/** Every payload between Slack and the bot, both ways, with how long its answer took. */
export function Inspector() {
  const { snapshot } = usePage();
  const [filter, setFilter] = useState('');
  const words = filter.trim().toLowerCase();
  const shown = snapshot.traces.filter(({ name, note, direction }) =>
    `${name} ${note ?? ''} ${direction}`.toLowerCase().includes(words),
  );
  return (
    <div class="tool">
      <Violations />
      <div class="tool-head">
        <h3>Payloads</h3>
        <label>
          <span class="visually-hidden">Filter payloads</span>
          <input
            type="search"
            placeholder="Filter: views.open, buy, failed…"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
      </div>
      {shown.length === 0 && <p class="nothing">Nothing{words ? ' that fits' : ' yet'}.</p>}
      <ul class="rows">
        {shown.toReversed().map((trace) => (
          <li key={trace.id}>
            <TraceRow trace={trace} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function TraceRow({ trace }: { trace: Trace }) {
  const { snapshot } = usePage();
  const [isOpen, setOpen] = useState(false);
  const isToBot = trace.direction === 'to_bot';
  const about = trace.about === null ? undefined : nameOf(snapshot, trace.about);
  return (
    <details class="row-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class={isToBot ? 'arrow to-bot' : 'arrow from-bot'} title={isToBot ? 'Slack → bot' : 'bot → Slack'}>
          <Icon name={isToBot ? 'right' : 'left'} size={13} />
          <span class="visually-hidden">{isToBot ? 'to the bot' : 'from the bot'}</span>
        </span>
        <span class="row-name">{trace.name}</span>
        {about && <span class="tag">{about}</span>}
        {trace.note && <span class="tag bad">{trace.note}</span>}
        <span class={`tag ${trace.status === 'open' ? 'warn' : ''}`}>{trace.ms === null ? '…' : `${trace.ms} ms`}</span>
        <time>{clockTime(trace.at)}</time>
      </summary>
      {isOpen && (
        <div class="row-more">
          <Json title={isToBot ? 'Payload to the bot' : 'Arguments from the bot'} value={trace.payload} />
          <Json title={isToBot ? 'Acknowledgement' : "Slack's answer"} value={trace.answer} />
        </div>
      )}
    </details>
  );
}

function nameOf({ people, channels, groups, directs }: Snapshot, id: string): string {
  const owner = Object.keys(directs).find((person) => directs[person] === id);
  const person = people[owner ?? id]?.name;
  return person ?? (channels[id] ? `#${channels[id].name}` : groups[id] ? `@${groups[id].handle}` : id);
}

function Json({ title, value }: { title: string; value: unknown }) {
  const text = () => JSON.stringify(value, null, 2) ?? 'null';
  return (
    <>
      <div class="tool-head">
        <h4>{title}</h4>
        <Copy text={text} label="Copy as JSON" />
      </div>
      <pre>{value === null ? 'empty' : text()}</pre>
    </>
  );
}

/** What the real Slack would have refused, in its own words. */
function Violations() {
  const { snapshot } = usePage();
  if (snapshot.violations.length === 0) return null;
  return (
    <section class="violations" role="alert" aria-label="Refused by Slack">
      <h3>Slack refused ({snapshot.violations.length})</h3>
      {snapshot.violations.toReversed().map(({ what, where, excerpt, at }, index) => (
        <details key={`${at} ${index}`} class="row-details">
          <summary>
            <span class="row-name">
              {where}: {what}
            </span>
            <time>{clockTime(at)}</time>
          </summary>
          <pre>{excerpt}</pre>
        </details>
      ))}
    </section>
  );
}
