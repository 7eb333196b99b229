import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, openOffice, policyOf } from '../support/office.ts';
import { bodies, decide, delivered, dmWith, file, filed, modalText, openForm, reaches } from '../support/steps.ts';

describe('two processes on one ledger', () => {
  it('share one dialogue: a form opened by one is filled, reviewed, filed and approved through either', async () => {
    const office = await openOffice();
    await office.another();
    expect(office.slack.sockets.count()).toBe(2);
    const bea = await openForm(office, 'US 10');
    for (const count of [2, 3, 4]) {
      await bea.press('Add country');
      await bea.waitFor(() => modalText(bea).match(/^Country/gm)?.length === count);
    }
    await bea.suggest('Country', 'germ', { nth: 4 });
    await bea.pick('Country', /Germany/, { nth: 4 });
    await bea.type('Quantity', '5', { nth: 4 });
    await bea.submit('Review');
    const id = await filed(office, bea, 'Ask for approval');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    await dmWith(office, BUYER, 'Order 9');
    await dmWith(office, BUYER, 'all about it');
    await delivered(office);
    expect(bodies(office)).toHaveLength(1);
    // One card, one message on the way and one outcome, whichever process told it.
    expect(office.slack.as(LEAD).screen.channels['approvals']).toHaveLength(1);
    expect(office.slack.as(BUYER).screen.dm).toHaveLength(2);
  });

  it('expire a request once, and tell it once', async () => {
    const office = await openOffice();
    await office.another();
    const id = await file(office, 'US 10');
    office.clock.advance(25 * 60 * 60 * 1000);
    const { entries } = await reaches(office, id, 'expired');
    await dmWith(office, BUYER, 'has expired');
    expect(entries.filter(({ to }) => to === 'expired')).toHaveLength(1);
    await office.slack.as(BUYER).waitFor((screen) => screen.dm.length === 2);
  });

  it('never send what the policy of the sending one forbids, though the other had filed it', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    await office.restart(policyOf({ limits: 'limits: { ips_per_order: 5 }' }));
    await decide(office, id, 'Approve');
    expect((await reaches(office, id, 'declined')).purchase.why).toContain('the limit is now 5 IPs');
    expect(office.vendor.posts).toBe(0);
  });
});
