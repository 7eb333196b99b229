import { describe, expect, it } from 'vitest';
import { BUYER, openOffice } from '../support/office.ts';
import { askFor, command, decide, file, modalText, reaches } from '../support/steps.ts';
import { lockDesk } from './fixture.ts';

async function postgresOffice() {
  const office = await openOffice({ database: 'postgres' });
  if (office.config.database.kind !== 'postgres') throw new Error('not on PostgreSQL');
  return { office, url: office.config.database.url };
}

describe('a database that does not let anybody write', () => {
  it('keeps no ack waiting, says so in words within what Slack waits, files nothing, and the same submit works later', async () => {
    const { office, url } = await postgresOffice();
    const person = await askFor(office, 'US 10');
    const unlock = await lockDesk(url);
    const { delivery } = await person.submit('Ask for approval');
    expect(delivery).toMatchObject({ failure: null });
    expect(modalText(person)).toMatch(/The ledger cannot be reached .*Nothing was filed or decided/);
    expect(await office.records()).toEqual([]);

    const other = await command(office, 'help');
    expect(other.screen.ephemerals.length).toBeGreaterThan(0);
    await unlock();
    const id = await file(office, 'US 10');
    await decide(office, id, 'Approve');
    await reaches(office, id, 'completed');
    expect(office.vendor.posts).toBe(1);
  });

  it('does not stop anybody from looking', async () => {
    const { office, url } = await postgresOffice();
    const unlock = await lockDesk(url);
    const person = await command(office, 'balance', BUYER);
    await person.waitFor('$1,000.00');
    await unlock();
  });
});
