import { expect, test } from 'vitest';
import { observed } from '../../src/runtime/observer.ts';
import { ANSWER } from '../ledger/fixture.ts';
import { movableClock } from '../support/clock.ts';

test('what goes wrong in telling of a call takes no answer away', async () => {
  const said: string[] = [];
  const say = (_: object, what: string) => said.push(what);
  const vendor = {
    readBalance: () => Promise.reject(new Error('nothing is read here')),
    send: async () => ANSWER,
    close: async () => {},
  };
  const log = { debug: say, info: say, warn: say, error: say };
  const watched = observed(vendor, movableClock(), log, () => {
    throw new Error('a collector of traces');
  });
  expect(await watched.send({ kind: 'renew' } as never, { mayStart: () => true })).toEqual(ANSWER);
  expect(said).toEqual(['a call to the vendor could not be observed']);
});
