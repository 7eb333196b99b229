import { describe, expect, it } from 'vitest';
import { LEAD, LEAD2, openOffice } from '../support/office.ts';
import { whileTimePasses } from '../support/passing.ts';
import { askFor, openDecision } from '../support/steps.ts';

const PEOPLE = Array.from({ length: 10 }, (_, n) => `U0P${n}`);

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
