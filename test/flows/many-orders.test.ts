import { describe, expect, it } from 'vitest';
import { filed, walked } from '../ledger/purchases.ts';
import { openOffice, VIEWER } from '../support/office.ts';
import { command, hears } from '../support/steps.ts';

describe('/proxy orders', () => {
  it('says how many more there are than it shows', async () => {
    const office = await openOffice();
    // Nothing looks for work while they are walked through.
    await office.bot.stop();
    for (let i = 0; i < 22; i += 1)
      await walked(office.books.ledger, await filed(office.books.ledger), 'approved', 'sending', 'completed');
    await office.restart();
    await command(office, 'orders', VIEWER);
    const said = await hears(office, VIEWER, 'Completed purchases, newest first');
    expect(said).toContain('and 2 more');
    expect(said.match(/Bought by/g)).toHaveLength(20);
  });
});
