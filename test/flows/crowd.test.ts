import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import { allWait, whileTimePasses } from '../support/passing.ts';
import { askFor, command, delivered, file, hears, openDecision, reaches, until } from '../support/steps.ts';

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

const CROWD = Array.from({ length: 150 }, (_, n) => `U0CROWD${n}`);

describe('the Home tabs of 150 people, with Slack’s rate limits enforced', () => {
  it('take no call from those who decide, when a group changes', async () => {
    const { office, id } = await crowded();
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER, LEAD, LEAD2] });
    await allWait(office);
    const lea = await openDecision(office, id, 'Approve');
    await lea.submit('Approve');
    await reaches(office, id, 'completed');
    await all(office);
  });

  it('nor when spending is frozen: it can be unfrozen at once', async () => {
    const { office } = await crowded();
    await command(office, 'freeze an odd invoice', LEAD);
    await allWait(office);
    await command(office, 'unfreeze', LEAD);
    await hears(office, LEAD, 'no longer frozen');
    await all(office);
  });

  it('are drawn at once for whoever opens theirs meanwhile, and before others for those who decide', async () => {
    const { office, id } = await crowded();
    await office.slack.as(LEAD).openHome();
    await allWait(office);
    office.clock.advance(60_000);
    await allWait(office);
    await office.slack.world.setGroup('S0TEAM', { members: [BUYER, LEAD, LEAD2] });
    await allWait(office);
    const late = 'U0CROWD99';
    expect(publishedSince(office)).toContain(LEAD);
    expect(publishedSince(office)).not.toContain(late);
    await office.slack.as(late).openHome();
    await until(() => publishedSince(office).includes(late));
    expect(await reaches(office, id, 'requested')).toBeDefined();
  });

  it('stay as they are when a group changes that the policy does not name', async () => {
    const { office } = await crowded();
    await office.slack.world.setGroup('S0OTHERS', { handle: 'others', members: [BUYER] });
    await allWait(office);
    expect(publishedSince(office)).toEqual([]);
  });
});

/** All have opened their Home tab, a while ago; a request waits. */
async function crowded() {
  const office = await openOffice();
  for (const id of CROWD) office.slack.world.setPerson(id, { name: id.toLowerCase() });
  const id = await file(office, 'US 10');
  await delivered(office);
  for (const person of CROWD) await office.slack.as(person).openHome();
  await all(office);
  office.clock.advance(61_000);
  await allWait(office);
  office.slack.calls.length = 0;
  office.slack.settings.enforceTiers = true;
  return { office, id };
}

function publishedSince({ slack }: Office): readonly string[] {
  return slack.callsTo('views.publish').map(({ args }) => String(args['user_id']));
}

/** Waits until each of the crowd sees what is true, as long as that may take. */
async function all(office: Office): Promise<void> {
  const missing = () => CROWD.filter((person) => !publishedSince(office).includes(person));
  for (let minutes = 0; missing().length > 0 && minutes < 10; minutes += 1) {
    await allWait(office);
    office.clock.advance(60_000);
  }
  expect(missing()).toEqual([]);
  expect(office.slack.refusals('ratelimited')).toEqual([]);
}
