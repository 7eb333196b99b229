import { describe, expect, it } from 'vitest';
import { distrustWhatWasOpen, freezeGoneBack } from '../../src/ledger/gone-back.ts';
import { GONE_BACK } from '../../src/purchasing/model/freeze.ts';
import { BUYER, LEAD, LEAD2, type Office, openOffice } from '../support/office.ts';
import {
  askFor,
  cardWith,
  command,
  decide,
  dmWith,
  file,
  filed,
  modalText,
  openDecision,
  press,
  reaches,
} from '../support/steps.ts';

/** As a bot finds it that is started on a restored backup, or led to a standby that took over. */
async function goBack({ books }: Office): Promise<void> {
  await books.database.write(async (sql) => {
    await freezeGoneBack(sql, `${GONE_BACK.backup}2026-01-31T12:00:00.000Z`);
    await distrustWhatWasOpen(sql);
  });
}

describe('on a ledger that went back in time', () => {
  it('a request can no longer be approved, and is settled by a person like any other unknown outcome', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    const lea = await openDecision(office, id, 'Approve');
    await goBack(office);
    expect((await lea.submit('Approve')).delivery?.failure).toBeNull();
    expect(modalText(lea)).toMatch(/Nobody has decided.*The outcome is unknown/s);
    await lea.close({ all: true });
    expect(modalText(await askFor(office, 'US 10', BUYER))).toContain('its outcome is unknown');

    await cardWith(office, 'Spending was frozen');
    const card = lea.read(await cardWith(office, '[It was placed]'));
    expect(card).toContain('the ledger may have gone back in time, and have forgotten that it was sent');
    await dmWith(office, BUYER, 'Outcome unknown');
    const lou = await openDecision(office, id, 'It was not placed', LEAD2);
    await lou.type('Note', 'not in the console');
    await lou.submit('Settle');
    expect((await reaches(office, id, 'declined')).purchase.declinedHow).toBe('settled');

    await command(office, 'unfreeze', LEAD);
    const again = await filed(office, await askFor(office, 'US 10', BUYER), 'Ask for approval');
    await decide(office, again, 'Approve');
    await reaches(office, again, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('what was approved is not sent when a person unfreezes spending', async () => {
    const office = await openOffice();
    await command(office, 'freeze wait', LEAD);
    await cardWith(office, 'Spending was frozen');
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'approved');
    await goBack(office);
    await command(office, 'unfreeze', LEAD);
    await cardWith(office, 'no longer frozen');
    await press(office, id, 'It was placed', LEAD2);
    expect((await reaches(office, id, 'unknown')).purchase.attempt).toBeNull();
    expect(office.vendor.posts).toBe(0);
  });
});
