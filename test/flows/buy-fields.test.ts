import { describe, expect, it } from 'vitest';
import { allCountries, countryName } from '../../src/purchasing/model/countries.ts';
import { openOffice } from '../support/office.ts';
import { modalText, openForm } from '../support/steps.ts';

describe('the fields of the buy form', () => {
  it('take a quantity by the same strict rule as a typed row, whatever the client let through', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    await bea.type('Reason', 'testing');
    for (const [typed, said] of [
      ['1e3', 'whole number'],
      ['10.5', 'whole number'],
      ['', 'how many'],
      ['-1', 'whole number'],
      ['0', 'At least 1'],
      ['0x10', 'whole number'],
      ['1000000000', 'too many'],
      ['99999999999999999999', 'too many'],
    ] as const) {
      await bea.type('Quantity', typed);
      const { sent, errors } = await bea.submit('Review', { force: true });
      expect(sent).toBe(true);
      expect(errors['Quantity'], typed).toContain(said);
    }
    expect(bea.screen.views).toHaveLength(1);
    await bea.type('Quantity', ' 5 ');
    await bea.submit('Review', { force: true });
    expect(modalText(bea)).toContain('Buy 5 IPs');
  });

  it('take a hand-made submission for what it is: unknown countries and absent blocks are errors at their fields', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    await bea.type('Reason', 'testing');
    const none = await bea.submit('Review', { force: true });
    expect(Object.keys(none.errors).sort()).toEqual(['Country', 'Quantity']);

    const { body, user, kind } = none.delivery ?? {};
    if (!body || !user || !kind) throw new Error('nothing was sent');
    const view = body['view'] as { state: { values: Record<string, Record<string, object>> } };
    const country = Object.keys(view.state.values).find((block) => block.endsWith(':country')) ?? '';
    const quantity = country.replace(':country', ':quantity');
    const reason = view.state.values['reason'] ?? {};
    for (const code of ['ZZ', 'constructor', 'us', 'US,DE', '__proto__'])
      for (const values of [
        {
          reason,
          [country]: { country: { type: 'external_select', selected_option: { value: code } } },
          [quantity]: { quantity: { type: 'number_input', value: '2' } },
        },
        { reason, [country]: { country: { type: 'external_select', selected_option: { value: code } } } },
        {},
      ]) {
        const forged = { ...body, view: { ...view, state: { values } } };
        const { ack } = await office.slack.deliver({ kind, type: 'view_submission', user, body: forged });
        expect(ack, code).toMatchObject({ response_action: 'errors' });
      }
    expect(await office.records()).toEqual([]);
  });

  it('say which half of a row is missing, and ignore a row that is empty', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 2, DE 1');
    await bea.press('Add country');
    await bea.waitFor(/(Quantity.*){3}/s);
    await bea.type('Reason', 'testing');
    await bea.type('Quantity', '', { nth: 1 });
    // Slack's own client insists on a field of a filled row, and so does the desk.
    expect((await bea.submit('Review')).sent).toBe(false);
    const half = await bea.submit('Review', { force: true });
    expect(Object.values(half.errors)).toEqual(['Enter how many IPs.']);
    await bea.type('Quantity', '4', { nth: 3 });
    await bea.type('Quantity', '1', { nth: 1 });
    const other = await bea.submit('Review');
    expect(Object.values(other.errors)).toEqual(['Choose a country.']);
    await bea.type('Quantity', '', { nth: 3 });
    await bea.submit('Review');
    expect(modalText(bea)).toContain('Buy 2 IPs');
  });

  it('put the error of the total on a real input, and keep everything that was typed', async () => {
    const office = await openOffice({ limits: 'limits: { ips_per_order: 10 }' });
    const bea = await openForm(office, 'US 6, DE 5');
    await bea.type('Reason', 'testing');
    const { errors, view } = await bea.submit('Review', { force: true });
    expect(errors).toEqual({ Quantity: 'That makes 11 IPs in all, and one order may have at most 10.' });
    const text = view ? bea.read(view) : '';
    for (const kept of ['United States', ': 6', 'Germany', ': 5', ': testing']) expect(text).toContain(kept);
  });

  it('take a reason of at most 500 characters as people count them, or none', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    await bea.type('Reason', 'x'.repeat(501));
    expect((await bea.submit('Review', { force: true })).errors['Reason']).toContain('At most 500');
    for (const reason of ['🙂'.repeat(500), ' \u200b\u2060 ', '']) {
      await bea.type('Reason', reason);
      await bea.submit('Review', { force: true });
      expect(modalText(bea)).toContain('Buy 1 IP');
      await bea.close();
    }
  });

  it('reach every country by its name and by its code, with never more than 100 offered', async () => {
    const office = await openOffice();
    const bea = await openForm(office, '');
    for (const query of ['', 'u', 'ü', 'a', 'zz', 'constructor'])
      expect((await bea.suggest('Country', query)).length, query).toBeLessThanOrEqual(100);
    const missed: string[] = [];
    for (const { code, name } of allCountries()) {
      for (const query of [name, code])
        if (!(await bea.suggest('Country', query)).some((option) => option.endsWith(` ${name}`))) missed.push(query);
    }
    expect(missed).toEqual([]);
    for (const [alias, code] of [
      ['uk', 'GB'],
      ['usa', 'US'],
      ['holland', 'NL'],
      ['GERMANY', 'DE'],
      ['cote', 'CI'],
    ] as const)
      expect((await bea.suggest('Country', alias))[0], alias).toContain(countryName(code));
  });
});
