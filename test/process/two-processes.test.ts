import { describe, expect } from 'vitest';
import { BUYER, BUYER2, LEAD, LEAD2, LEAD3, type Site } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, cardsOf, directsOf, file, fileQuietly, openDecision, textOf, told } from '../support/site-steps.ts';

const ROUNDS = 8;
/** The vendor's balance pays for all rounds, whoever wins them. */
const IPS = 20;

/** Slack spreads what people do over both connections: halves of one dialogue land on different processes. */
describe.concurrent('two processes on one ledger', () => {
  it('take one decision of three that are made at once, in every round, and send at most one POST for it', async ({
    open,
  }) => {
    const site = await open();
    await startTwo(site);
    let rejected = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const id = await file(site, `US ${IPS + round}`);
      // The barrier: all three modals are open, then all three submits leave in one turn.
      const deciding = [
        await openDecision(site, id, 'Approve', LEAD),
        await openDecision(site, id, 'Approve', LEAD2),
        await openDecision(site, id, 'Reject', LEAD3),
      ];
      const turned = [...deciding.slice(round % 3), ...deciding.slice(0, round % 3)];
      const submitted = await Promise.all(turned.map((person) => person.submit()));
      const lost = submitted.filter(({ view }) => view !== undefined);
      expect(lost).toHaveLength(2);
      for (const person of turned) if (person.screen.modal) await person.close({ all: true });

      const lines = await site.untilLedger((all) => all.some((line) => line.id === id && isFinal(line.state)));
      const line = lines.find((candidate) => candidate.id === id);
      const outcome = line?.state === 'rejected' ? /[Rr]ejected/ : /Bought/;
      await told(site, id, { directs: [outcome, outcome], cards: [outcome] });
      rejected += line?.state === 'rejected' ? 1 : 0;
      expect(site.vendor.posts).toBe(round - rejected);
      const [card] = cardsOf(site, id);
      const winner = line?.approver ?? 'nobody';
      expect(card && textOf(site, card)).toContain(`@${winner.toLowerCase().slice(2)}`);
    }
  });

  it('send each of many purchases that are approved at once exactly once', async ({ open }) => {
    const site = await open();
    await startTwo(site);
    const ids: string[] = [];
    for (let n = 1; n <= 4; n += 1) ids.push(await file(site, `DE ${n}`, n % 2 === 0 ? BUYER : BUYER2));
    for (const id of ids) await approve(site, id, ids.indexOf(id) % 2 === 0 ? LEAD : LEAD2);
    await site.untilLedger((lines) => lines.every(({ state }) => state === 'completed'));
    for (const [index, id] of ids.entries())
      await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] }, index % 2 === 0 ? BUYER2 : BUYER);
    expect(site.vendor.posts).toBe(4);
    expect(site.vendor.orders).toHaveLength(4);
  });

  it('tell each expiry once, although both sweep and both notify', async ({ open }) => {
    const site = await open({ approvals: 'expire_after: 2s' });
    const bots = await startTwo(site);
    const ids: string[] = [];
    for (let n = 1; n <= 5; n += 1) ids.push(await fileQuietly(site, `FR ${n}`));
    await site.untilLedger((lines) => lines.length === 5 && lines.every(({ state }) => state === 'expired'));
    for (const id of ids) await told(site, id, { directs: [/has expired/, /has expired/], cards: [/has expired/] });
    for (const bot of bots) await bot.until('/metrics', 200, 'proxy_desk_notices_undelivered 0');
    for (const id of ids) expect([directsOf(site, id).length, cardsOf(site, id).length]).toEqual([2, 1]);
  });

  it('go on when one of them is killed in the middle of a purchase: the other calls it unknown and sells the rest', async ({
    open,
  }) => {
    const site = await open();
    const [first, second] = await startTwo(site);
    const id = await file(site, 'IT 1');
    const other = await file(site, 'IT 2');
    site.vendor.next('create', { name: 'hold' });
    await approve(site, id);
    await site.vendor.until(() => site.vendor.held === 1);
    const sender = await Promise.race([first, second].map((bot) => bot.line('sending').then(() => bot)));
    await sender.end('SIGKILL');
    await gone(site);
    await approve(site, other);
    // Not waited for here: kill.test.ts shows that the grace is 15 s.
    site.letTimePass();
    await told(site, id, { directs: [/unknown/, /unknown/], cards: [/unknown/, /It was placed/] });
    await told(site, other, { directs: [/Bought/, /Bought/], cards: [/Bought/] });
    expect(site.vendor.posts).toBe(2);
  });
});

async function startTwo(site: Site) {
  return [await site.start(), await site.start()] as const;
}

function isFinal(state: string): boolean {
  return state === 'rejected' || state === 'completed' || state === 'unknown' || state === 'declined';
}

/** Slack has noticed that one of two connections is gone. */
async function gone(site: Site): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = site.slack.on(() => site.slack.sockets.count() === 1 && resolve());
  if (site.slack.sockets.count() === 1) resolve();
  await promise.finally(off);
}
