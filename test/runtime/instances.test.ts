import { describe, expect, test } from 'vitest';
import type { NewNotice } from '../../src/purchasing/model/outbox.ts';
import type { Instance } from '../../src/purchasing/ports/instances.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import { InstanceWatch } from '../../src/runtime/instances.ts';

const ME = { id: 'me', version: '2', policyHash: 'p', vendorHash: 'v', policySince: 1, slack: 'connected' };

/** A process that sees these others; `later` moves the clock to its next beat. */
function watching(...others: Instance[]) {
  const said: string[] = [];
  const owed: NewNotice[] = [];
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
    owe: async (notice) => void owed.push(notice),
  });
  const later = () => {
    now += 10_000;
    return watch.beat();
  };
  return { watch, said, owed, alive, later, beats: () => beats };
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

  const DIFFER =
    'warn: another process on this ledger has another policy, and a click may reach either: give both the same policy file';

  test('tells of another policy once it has been there for a minute, in the log and to those who approve', async () => {
    const { said, owed, later, watch } = watching({ ...ME, id: 'old', policyHash: 'q', startedAt: 1 });
    for (let beats = 0; beats < 6; beats += 1) await later();
    expect([watch.count, watch.different]).toEqual([2, 1]);
    expect([said, owed]).toEqual([[], []]);
    for (let beats = 0; beats < 6; beats += 1) await later();
    expect(said).toEqual([DIFFER]);
    expect(owed).toMatchObject([{ kind: 'alert', audience: 'approvers' }]);
    expect(owed[0]?.text).toContain('policy p in process me, policy q in process old');
  });

  test('says nothing of a policy that reaches one process after the other within the minute', async () => {
    const { said, owed, alive, later } = watching({ ...ME, id: 'old', policyHash: 'q', startedAt: 1 });
    for (let beats = 0; beats < 6; beats += 1) await later();
    alive.splice(0, 1, { ...ME, id: 'old', startedAt: 1 });
    for (let beats = 0; beats < 6; beats += 1) await later();
    expect(said).toEqual(['info: another process works on this ledger, or did until half a minute ago']);
    expect(owed).toEqual([]);
  });

  test('only logs that one of another version has another policy: an update is under way', async () => {
    const { said, owed, later } = watching({ ...ME, id: 'old', version: '1', policyHash: 'q', startedAt: 1 });
    for (let beats = 0; beats < 8; beats += 1) await later();
    expect(said).toEqual([DIFFER]);
    expect(owed).toEqual([]);
  });

  test('tells of another vendor account at once, and once', async () => {
    const { said, later } = watching({ ...ME, id: 'new', vendorHash: 'w', startedAt: 9 });
    await later();
    await later();
    expect(said).toEqual([
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
