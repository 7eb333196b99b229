import { useEffect, useState } from 'preact/hooks';
import { dayAndClock } from './dates.ts';
import { Icon } from './icons.tsx';
import { usePage } from './page-context.ts';
import { act } from './server.ts';

const HOUR_MS = 3_600_000;
const STEPS = [
  { label: '+1 h', name: 'Put the clock forward by one hour', ms: HOUR_MS },
  { label: '+1 day', name: 'Put the clock forward by one day', ms: 24 * HOUR_MS },
  { label: '+7 days', name: 'Put the clock forward by seven days', ms: 7 * 24 * HOUR_MS },
];
const LOOK_EVERY_MS = 10_000;

/** The time of the bot, of Slack and of the vendor. It is put forward and never back: what has happened stays. */
export function ClockBar() {
  const { now, toast } = usePage();
  const [isBusy, setBusy] = useState(false);
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((count) => count + 1), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const forward = async (ms: number) => {
    setBusy(true);
    const result = await act({ do: 'put_forward', ms });
    setBusy(false);
    if (!result.ok) toast(result.error);
  };
  return (
    <section class="clock" aria-label="The sandbox's clock">
      <Icon name="clock" />
      <time aria-live="polite">{dayAndClock(now())}</time>
      {STEPS.map(({ label, name, ms }) => (
        <button
          type="button"
          class="top-button"
          key={label}
          aria-label={name}
          title={name}
          disabled={isBusy}
          onClick={() => void forward(ms)}
        >
          {label}
        </button>
      ))}
    </section>
  );
}
