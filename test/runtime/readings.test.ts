import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { BalanceReading } from '../../src/purchasing/model/answer.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import type { Vendor } from '../../src/purchasing/ports/vendor.ts';
import { forPeople, shared } from '../../src/runtime/readings.ts';
import { movableClock } from '../support/clock.ts';

/** A vendor that answers when it is told to. */
function asked() {
  const clock = movableClock();
  const calls: PromiseWithResolvers<BalanceReading>[] = [];
  const vendor: Vendor = {
    readBalance() {
      const call = Promise.withResolvers<BalanceReading>();
      calls.push(call);
      return call.promise;
    },
    send: () => Promise.reject(new Error('nothing is bought here')),
    close: async () => {},
  };
  const answer = (nth: number, balance: string) =>
    calls[nth]?.resolve({ ok: true, balance: balance as Money, at: clock.now() });
  return { clock, calls, answer, vendor, people: shared(vendor, clock) };
}

const balances = async (...readings: Promise<BalanceReading>[]) =>
  (await Promise.all(readings)).map((reading) => reading.ok && reading.balance);

test('people who ask for the balance in the same moment share one call', async () => {
  const { calls, answer, people } = asked();
  const three = [people.readBalance('command'), people.readBalance('command'), people.readBalance('command')];
  expect(calls).toHaveLength(1);
  answer(0, '10.00');
  expect(await balances(...three)).toEqual(['10.00', '10.00', '10.00']);
});

test('whoever asks when the answer is there is told what is true now', async () => {
  const { answer, people } = asked();
  const first = people.readBalance('command');
  answer(0, '10.00');
  await first;
  const second = people.readBalance('command');
  answer(1, '7.50');
  expect(await balances(first, second)).toEqual(['10.00', '7.50']);
});

test('nobody waits with others for a call that hangs', async () => {
  const { clock, calls, answer, people } = asked();
  const hanging = people.readBalance('command');
  clock.advance(1_000);
  const later = [people.readBalance('command'), people.readBalance('command')];
  expect(calls).toHaveLength(2);
  answer(1, '10.00');
  expect(await balances(...later)).toEqual(['10.00', '10.00']);
  // The one that hung ends while another is under way: that one is still shared.
  const again = people.readBalance('command');
  answer(0, '9.00');
  await hanging;
  void people.readBalance('command');
  expect(calls).toHaveLength(3);
  answer(2, '10.00');
  expect(await balances(again)).toEqual(['10.00']);
});

test('a reading that has ended leaves nothing behind, as long as the bot goes on', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { clock, calls, answer, vendor } = asked();
  const stopping = new AbortController();
  const people = forPeople(vendor, clock, stopping.signal);
  const kept: WeakRef<BalanceReading>[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    const reading = people.readBalance('command');
    answer(nth, '10.00');
    kept.push(new WeakRef(await reading));
  }
  calls.length = 0;
  // What the last turn of the event loop still holds is let go of.
  await nextTurn();
  collect();
  expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
});

test('a reading that is under way is given up at once when the bot stops, and so is one that is asked for then', async () => {
  const { clock, vendor } = asked();
  const stopping = new AbortController();
  const people = forPeople(vendor, clock, stopping.signal);
  const reading = people.readBalance('command');
  stopping.abort();
  for (const one of [reading, people.readBalance('command')])
    expect(await one).toMatchObject({ ok: false, why: 'the bot is stopping' });
});
