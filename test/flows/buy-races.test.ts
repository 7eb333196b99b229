import { describe, expect, it } from 'vitest';
import type { Hands } from '../../sandbox/slack/index.ts';
import { BUYER, BUYER2, openOffice } from '../support/office.ts';
import { command, logged, modalText, openForm, until } from '../support/steps.ts';

describe('the buy form in a hurry', () => {
  it('adds a row for each of two presses that come at once', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    await Promise.all([bea.press('Add country'), bea.press('Add country')]);
    await bea.waitFor(() => modalText(bea).match(/^Country/gm)?.length === 3);
  });

  it('keeps what is typed while the balance arrives', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'hold' });
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('reading the balance…');
    await office.vendor.until(() => office.vendor.held === 1);
    await bea.type('Quantity', '4');
    await bea.type('Reason', 'typed in a hurry');
    office.vendor.release();
    await bea.waitFor('Balance: $1,000.00');
    expect(modalText(bea)).toContain('Quantity: 4');
    expect(modalText(bea)).toContain(': typed in a hurry');
  });

  it('shows the row that was added while the balance arrived, whichever update comes last', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'hold' });
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('reading the balance…');
    await office.vendor.until(() => office.vendor.held === 1);
    office.slack.faults.add('views.update', { kind: 'delay', ms: 100 });
    const pressed = bea.press('Add country');
    office.vendor.release();
    await pressed;
    // The delayed update, drawn before the balance was there, lands last: what it took back is drawn again.
    await until(() => office.slack.callsTo('views.update').find(({ fault }) => fault === 'delay')?.answer);
    await bea.waitFor(() => modalText(bea).match(/^Country/gm)?.length === 2 && modalText(bea).includes('$1,000.00'));
  });

  it('stays usable when an update is lost', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    office.slack.faults.add('views.update', { kind: 'reset', when: 'before' });
    await bea.press('Add country');
    await bea.waitFor('reference');
    await bea.press('Add country');
    await bea.waitFor(() => modalText(bea).match(/^Country/gm)?.length === 3);
  });

  it('is closed without a trace: what arrives later is let go', async () => {
    const office = await openOffice();
    office.vendor.next('balance', { name: 'hold' });
    const bea = await command(office, 'buy US 1');
    await bea.waitFor('Buy proxies');
    await office.vendor.until(() => office.vendor.held === 1);
    await bea.close({ all: true });
    office.vendor.release();
    await logged(office, 'the view was closed before it could be updated');
    expect(office.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(bea.screen.ephemerals).toEqual([]);
    expect(await office.records()).toEqual([]);
    await openForm(office, 'US 1');
  });

  it('says "please do that again" when Slack took the trigger as too old, in both ways in which it says so', async () => {
    const office = await openOffice();
    for (const code of ['expired_trigger_id', 'invalid_arguments', 'invalid_trigger_id']) {
      office.slack.faults.add('views.open', { kind: 'error', code });
      await command(office, 'buy US 1');
    }
    const bea = office.slack.as(BUYER);
    await until(() => bea.screen.ephemerals.length === 3);
    for (const message of bea.screen.ephemerals) expect(bea.read(message)).toContain('please do that again');
    expect(bea.screen.modal).toBeUndefined();
    await openForm(office, 'US 1');
    expect(await office.records()).toEqual([]);
  });

  it.each([
    ['Review', (bea: Hands) => bea.submit('Review')],
    ['Add country', (bea: Hands) => bea.press('Add country')],
    ['Remove', (bea: Hands) => bea.press('Remove')],
    ['Paste a list', (bea: Hands) => bea.press('Paste a list')],
  ])('says that the content of a form is gone after a day, at %s, and files nothing', async (_, act) => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    office.clock.advance(25 * 60 * 60 * 1000);
    // The next form that anybody opens clears what is old away.
    await openForm(office, 'US 1', BUYER2);
    await act(bea);
    await bea.waitFor('What stood in this form is gone: a form is kept for a day. Nothing was filed');
    expect(await office.records()).toEqual([]);
  });

  it('says so also when the list over it is submitted', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    await bea.press('Paste a list');
    await bea.waitFor('Countries and quantities');
    office.clock.advance(25 * 60 * 60 * 1000);
    await openForm(office, 'US 1', BUYER2);
    await bea.type('Countries and quantities', 'DE 5');
    await bea.submit('Add');
    expect(modalText(bea)).toContain('What stood in this form is gone: a form is kept for a day. Nothing was filed');
  });
});
