import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../../support/site.ts';
import type { Fleet } from './fleet.ts';
import type { Phase, Plan, Strike, Trigger } from './plan.ts';
import type { SmallDisk } from './small-disk.ts';
import type { Storage } from './storage.ts';

export interface Struck {
  readonly site: Site;
  readonly fleet: Fleet;
  readonly storage: Storage;
  readonly disk: SmallDisk | undefined;
}

/** A trigger that another fault prevents is not waited for any longer. */
const TRIGGERED_WITHIN_MS = 4_000;

/** Longer than a POST may start after its commit, and than the audit is lenient: a process that wakes up must not send. */
const PAUSE_MS = 9_000;
const LOCK_MS = 1_000;

/** To be called before what triggers it is done. @returns what resolves when it has struck, and the trouble is over. */
export function armStrike(plan: Plan, phase: Phase, struck: Struck): Promise<void> {
  const { strike } = plan;
  if (strike.phase !== phase || strike.kind === 'nothing') return Promise.resolve();
  const triggered = watch(struck.site, strike.trigger);
  const over = triggered.then(() => sleep(strike.afterMs)).then(() => carryOut(strike, struck));
  // Awaited later, when people have done what triggers it.
  over.catch(() => undefined);
  return over;
}

async function carryOut({ kind, victim, forMs }: Strike, { fleet, storage, disk }: Struck): Promise<void> {
  switch (kind) {
    case 'nothing':
      return;
    case 'SIGKILL':
      await fleet.end(victim, 'SIGKILL');
      return;
    case 'SIGKILL of all':
      return fleet.endAll();
    case 'SIGKILL while starting':
      await fleet.endAll();
      await fleet.killWhileStarting(forMs);
      return fleet.killWhileStarting(forMs / 2);
    case 'SIGTERM': {
      const exit = await fleet.end(victim, 'SIGTERM');
      if (exit && exit.code !== 0) throw new Error(`SIGTERM ended it with ${exit.code ?? exit.signal}`);
      return;
    }
    case 'SIGTERM twice':
      fleet.send(victim, 'SIGTERM');
      await sleep(forMs / 4);
      await fleet.end(victim, 'SIGTERM');
      return;
    case 'paused for 9 s':
      fleet.send(victim, 'SIGSTOP');
      await sleep(PAUSE_MS);
      fleet.send(victim, 'SIGCONT');
      return;
    case 'database locked for 1 s':
      return storage.lockedFor(LOCK_MS);
    case 'database read-only':
      return storage.readOnlyFor(forMs);
    case 'disk full':
      disk?.fill();
      await sleep(forMs).finally(() => disk?.free());
      return;
    case 'disk full and SIGKILL':
      disk?.fill();
      try {
        await sleep(forMs / 2);
        await fleet.end(victim, 'SIGKILL');
        // On a full disk it may start or refuse to; it must not send what it cannot write down.
        await fleet.killWhileStarting(forMs);
      } finally {
        disk?.free();
      }
      return;
    case 'connections cut':
      return storage.cut();
    default:
      kind satisfies never;
  }
}

function watch({ slack, vendor }: Site, trigger: Trigger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, TRIGGERED_WITHIN_MS);
  const offs = [
    slack.on((event) => {
      const submitted =
        (event.type === 'delivery_sent' || event.type === 'delivery_settled') &&
        event.delivery.type === 'view_submission';
      if (trigger === 'click' && submitted && event.type === 'delivery_sent') resolve();
      if (trigger === 'acknowledged' && submitted && event.type === 'delivery_settled') resolve();
      if (event.type !== 'api_call') return;
      if (trigger === 'rights asked' && event.call.method === 'users.info') resolve();
      if (trigger === 'message' && event.call.method === 'chat.postMessage') resolve();
      if (trigger === 'edit' && event.call.method === 'chat.update') resolve();
    }),
    vendor.on(({ type, text }) => {
      if (trigger === 'balance asked' && type === 'request' && text.startsWith('GET')) resolve();
      if (trigger === 'POST' && type === 'request' && text.startsWith('POST')) resolve();
      if (trigger === 'answer' && type === 'answer' && vendor.posts > 0) resolve();
    }),
  ];
  return promise.finally(() => {
    clearTimeout(late);
    for (const off of offs) off();
  });
}
