import { describe, expect, test } from 'vitest';
import type { Instance } from '../../src/purchasing/ports/instances.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import { InstanceWatch } from '../../src/runtime/instances.ts';

const ME = { id: 'me', version: '2', policyHash: 'p', vendorHash: 'v' };

/** A process that sees these others; `later` moves the clock to its next beat. */
function watching(...others: Instance[]) {
  const said: string[] = [];
  const say = (level: string) => (_: object, message: string) => void said.push(`${level}: ${message}`);
  const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };
  let now = 0;
  let beats = 0;
  const alive = [...others];
  const watch = new InstanceWatch({
    instances: {
      async beat(me) {
        beats += 1;
        return [...alive, { ...me, startedAt: 5 }].toSorted((a, b) => a.startedAt - b.startedAt);
      },
      leave: async () => {},
    },
    me: () => ME,
    clock: { now: () => now, monotonic: () => now, sleep: async () => {} },
    log,
  });
  const later = () => {
    now += 10_000;
    return watch.beat();
  };
  return { watch, said, alive, later, beats: () => beats };
}

describe('a process among others', () => {
  test('says nothing where it is alone, and does not beat at every look', async () => {
    const { watch, said, beats, later } = watching();
    await watch.beat();
    await watch.beat();
    expect(beats()).toBe(1);
    await later();
    expect(beats()).toBe(2);
    expect(said).toEqual([]);
    expect([watch.count, watch.different]).toEqual([1, 0]);
  });

  test('tells of one that goes by other rules once, until somebody comes or goes', async () => {
    const { said, alive, later, watch } = watching({ ...ME, id: 'old', policyHash: 'q', startedAt: 1 });
    await later();
    await later();
    const warning = 'warn: another process on this ledger has another policy, and a click may reach either: ';
    expect(said).toEqual([`${warning}it was started earlier; restart it`]);
    expect([watch.count, watch.different]).toEqual([2, 1]);
    alive.splice(0, 1, { ...ME, id: 'new', vendorHash: 'w', startedAt: 9 });
    await later();
    expect(said.slice(1)).toEqual([
      'warn: another process on this ledger has another vendor address or account, and a click may reach either: this one was started earlier; restart it',
    ]);
  });

  test('only mentions one of another version', async () => {
    const { said, later, watch } = watching({ ...ME, id: 'old', version: '1', startedAt: 1 });
    await later();
    expect(said).toEqual(['info: another process works on this ledger, or did until half a minute ago']);
    expect(watch.different).toBe(0);
  });
});
