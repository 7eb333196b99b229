import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { askFor, openDecision } from '../support/steps.ts';

const PEOPLE = Array.from({ length: 10 }, (_, n) => `U0P${n}`);

/** So many turns of the event loop without anything new, and nobody is at work. */
const CALM_TURNS = 50;

/**
 * Lets time go on until `work` is done, from one moment that somebody waits for to the next, and only while nobody is at work: whoever
 * waits for Slack's rate limits waits, and nobody is late because this machine is. @returns how long it took.
 */
async function whileTimePasses(office: Office, work: Promise<unknown>): Promise<number> {
  const began = office.clock.monotonic();
  let done = false;
  const end = () => {
    done = true;
  };
  void work.then(end, end);
  while (!done) {
    await allWait(office);
    office.clock.skip();
  }
  await work;
  return office.clock.monotonic() - began;
}

/** All run in this process: what one of them does, the next turns of the event loop bring to the others. */
async function allWait({ slack, vendor }: Office): Promise<void> {
  let happened = 0;
  const unlisten = slack.on(() => {
    happened += 1;
  });
  const sum = () => happened + vendor.requests.length;
  for (let calm = 0, seen = sum(); calm < CALM_TURNS; seen = sum()) {
    await nextTurn();
    calm = slack.inFlight() > 0 || sum() !== seen ? 0 : calm + 1;
  }
  unlisten();
}

describe('a busy minute, with Slack’s rate limits enforced', () => {
  it('20 purchases filed by 10 people and decided by two are all filed and approved within it, and sent', async () => {
    const office = await openOffice();
    for (const id of PEOPLE) office.slack.world.setPerson(id, { name: id.toLowerCase() });
    await office.slack.world.setGroup('S0BUYERS', { members: PEOPLE });
    office.slack.settings.enforceTiers = true;

    const filing = Promise.all(
      PEOPLE.map(async (person, n) => {
        for (const quantity of [10 + n, 30 + n])
          await (await askFor(office, `US ${quantity}`, person)).submit('Ask for approval');
      }),
    );
    const filingTook = await whileTimePasses(office, filing);
    const ids = (await office.records()).map(({ purchase }) => purchase.id);
    const decide = async (lead: string, some: readonly string[]) => {
      for (const id of some) await (await openDecision(office, id, 'Approve', lead)).submit('Approve');
    };
    const decidingTook = await whileTimePasses(
      office,
      Promise.all([decide(LEAD, ids.slice(0, 10)), decide(LEAD2, ids.slice(10))]),
    );
    const states = async () => (await office.records()).map(({ purchase }) => purchase.state);
    expect(ids).toHaveLength(20);
    expect(await states()).not.toContain('requested');
    expect(filingTook + decidingTook).toBeLessThan(60_000);
    expect(office.vendor.posts).toBeLessThanOrEqual(20);
  });
});
