import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, openOffice, STRANGER, VIEWER } from '../support/office.ts';
import { dmWith, faultGroups, filed, hears, modalText, reaches } from '../support/steps.ts';

describe('the shortcut Buy proxies', () => {
  it.each(['socket', 'http'] as const)(
    'opens the form, and what is filed goes its usual way (%s)',
    async (transport) => {
      const office = await openOffice({ transport });
      const bea = office.slack.as(BUYER);
      await bea.shortcut('Buy proxies');
      await bea.waitFor(/Buy proxies.*Balance: (?!reading)/s);
      await bea.suggest('Country', 'germ');
      await bea.pick('Country', /Germany/);
      await bea.type('Quantity', '9');
      await bea.submit('Review');
      const id = await filed(office, bea, 'Ask for approval');
      expect((await reaches(office, id, 'requested')).purchase.quantity).toBe(9);
    },
  );

  it('on a message opens the form with what the message lists', async () => {
    const office = await openOffice();
    office.slack.as(LEAD).say('US 10\nGermany: 5', { channel: 'C0GENERAL' });
    const bea = office.slack.as(BUYER);
    await bea.shortcut('Buy proxies', { on: 'Germany: 5' });
    await bea.waitFor(/Buy proxies.*Balance: (?!reading)/s);
    expect(modalText(bea)).toMatch(/United States.*: 10.*Germany.*: 5/s);
  });

  it.each(['We need US 10, DE 5 by noon', 'hello', `${'US 1, '.repeat(3)}Atlantis 4`])(
    'on a message that is not all a list opens the empty form: %s',
    async (words) => {
      const office = await openOffice();
      office.slack.as(LEAD).say(words, { channel: 'C0GENERAL' });
      const bea = office.slack.as(BUYER);
      await bea.shortcut('Buy proxies', { on: words });
      await bea.waitFor(/Buy proxies.*Balance: (?!reading)/s);
      expect(modalText(bea)).not.toMatch(/: \d+\n|United States|Atlantis/);
    },
  );

  it('is refused to whoever may not buy: privately there, or by direct message where there is no place', async () => {
    const office = await openOffice();
    office.slack.as(LEAD).say('US 10', { channel: 'C0GENERAL' });
    await office.slack.as(VIEWER).shortcut('Buy proxies', { on: 'US 10' });
    await hears(office, VIEWER, 'not in a group that may buy');
    await office.slack.as(STRANGER).shortcut('Buy proxies');
    await dmWith(office, STRANGER, 'not in a group that may buy');
    expect(office.slack.callsTo('views.open')).toEqual([]);
  });

  it('shows that it is coming where rights take a while, within the 3 s of its trigger', async () => {
    const office = await openOffice();
    faultGroups(office, { kind: 'delay', ms: 900 });
    const bea = office.slack.as(BUYER);
    await bea.shortcut('Buy proxies');
    await bea.waitFor('One moment…');
    await bea.waitFor('Country');
  });
});
