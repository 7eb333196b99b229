import { describe, expect, it } from 'vitest';
import { BUYER, LEAD, type Office, openOffice } from '../support/office.ts';
import { cardOf, FIRST_ORDER, file } from '../support/steps.ts';

/** What Slack was asked between a click and the modal that it opens, whoever's rights were looked up just before. */
async function callsUntilOpen(office: Office, as: string, act: () => Promise<unknown>, text: string) {
  const person = office.slack.as(as);
  if (person.screen.modal) await person.close({ all: true });
  const before = office.slack.calls.length;
  await act();
  await person.waitFor((screen) => screen.modal && person.read(screen.modal).includes(text));
  // The balance may still come to the one that was open before.
  const made = office.slack.calls.slice(before).flatMap(({ method }) => (method === 'views.update' ? [] : method));
  return made.slice(0, made.findIndex((method) => method.startsWith('views.')) + 1);
}

describe('a modal', () => {
  it('opens with exactly one call to Slack between the click and the view', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const [bea, lea] = [office.slack.as(BUYER), office.slack.as(LEAD)];
    // Rights that were just looked up open views.
    for (const person of [bea, lea]) {
      await person.command('/proxy', 'requests');
      await person.waitFor('1 request');
    }
    const card = (button: string) => () => lea.pressOn(cardOf(office, id, button), button);
    for (const [as, act, text] of [
      [BUYER, () => bea.command('/proxy', 'buy US 2'), 'Buy proxies'],
      [BUYER, () => bea.command('/proxy', 'buy'), 'Buy proxies'],
      [BUYER, () => bea.command('/proxy', `renew ${FIRST_ORDER}`), 'Renew order'],
      [LEAD, card('Approve'), 'Approve'],
      [LEAD, card('Reject'), 'Reject'],
    ] as const)
      expect(await callsUntilOpen(office, as, act, text), text).toEqual(['views.open']);
  });
});
