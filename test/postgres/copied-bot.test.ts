import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { run } from '../support/bot.ts';
import { BUYER, LEAD } from '../support/site.ts';
import { it } from '../support/site-fixture.ts';
import { approve, askFor, cardsOf, told } from '../support/site-steps.ts';
import { emptyDatabase } from './databases.ts';

describe('a bot whose ledger was copied to PostgreSQL', { timeout: 60_000 }, () => {
  it('goes on with the messages that are posted, says that it is frozen, and sends once it is unfrozen', async ({
    open,
  }) => {
    const postgres = await emptyDatabase();
    const site = await open({ postgres });
    const old = `sqlite:${join(site.folder, 'data', 'old.db')}`;
    const before = await site.start({ DATABASE_URL: old });
    const buyer = await askFor(site, 'US 3');
    await buyer.submit('Ask for approval');
    await buyer.close({ all: true });
    const lead = site.slack.as(LEAD);
    await lead.waitFor((screen) => screen.channels['approvals']?.length === 1, { timeout: 20_000 });
    expect(await before.end('SIGTERM')).toEqual({ code: 0, signal: null });

    // The command line, which everybody on the machine can read, holds no password.
    const address = new URL(postgres);
    const PGPASSWORD = decodeURIComponent(address.password);
    address.password = '';
    const copied = await run({
      env: { DATABASE_URL: old, PGPASSWORD },
      cwd: site.folder,
      args: ['ledger', 'copy', '--to', address.href],
    });
    expect(copied).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('they are equal') });
    const [line] = await site.ledger();
    const id = line?.id ?? '';

    await site.start();
    await lead.waitFor(/Spending was frozen by the operator .*: copied from SQLite at /, { timeout: 20_000 });
    await approve(site, id);
    await site.untilLedger((lines) => lines.some(({ state }) => state === 'approved'));
    expect(site.vendor.posts).toBe(0);
    await lead.command('/proxy', 'unfreeze');
    // The same card and the same message, edited; not a second one of either.
    await told(site, id, { directs: [/Bought/, /Bought/], cards: [/Bought/] }, BUYER);
    expect(cardsOf(site, id)).toHaveLength(1);
    expect(site.vendor.posts).toBe(1);
  });
});
