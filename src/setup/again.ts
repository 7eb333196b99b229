import type { Ask } from './ask.ts';
import { GivenUp } from './ask.ts';

type Reading<T> = { readonly ok: true; readonly seen: T } | { readonly ok: false; readonly problem: string };

/** Reads what nothing can go on without, until it can be read. */
export async function askAgain<T>(ask: Ask, doing: string, read: () => Promise<Reading<T>>): Promise<T> {
  for (;;) {
    const reading = await ask.wait(doing, read);
    if (reading.ok) return reading.seen;
    ask.bad(reading.problem);
    const next = await ask.choose('What now?', [
      { value: 'again', label: 'Look again, I have mended it' },
      { value: 'end', label: 'End, and write nothing' },
    ]);
    if (next === 'end') throw new GivenUp();
  }
}
