import type { OpenLedger } from '../../src/ledger/open.ts';
import type { Row } from '../../src/ledger/sql.ts';
import type { Money } from '../../src/purchasing/model/money.ts';
import { owedAtFiling } from '../../src/purchasing/model/outbox.ts';
import { STATES } from '../../src/purchasing/model/purchase.ts';
import { ANN, ANSWER, aPurchase, BEN, filed, WAY_TO, walked } from './purchases.ts';

/** While one is being sent, no other may be. */
const EACH_STATE = [...STATES.filter((state) => state !== 'sending'), 'sending'] as const;

/** A ledger with something in each of its tables, and everything that is hard to carry. @returns the ids of its purchases. */
export async function fillWhole({
  ledger,
  outbox,
  drafts,
  homes,
  account,
  baskets,
  database,
}: OpenLedger): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const state of EACH_STATE) {
    const { id } = aPurchase();
    const notices = owedAtFiling({ id, state: 'requested', batch: null });
    ids.push(await filed(ledger, { id, notices, reason: `"${state}"\n'; 東京 \u{1f600} \\u0000 \0 end` }));
    await walked(ledger, id, ...WAY_TO[state]);
  }
  const bought = ids[EACH_STATE.indexOf('completed')] ?? '';
  const answer = { ...ANSWER, rawBody: `{"code":200,"proxies":"${'x'.repeat(60_000)}"}` };
  await ledger.change(bought, () => ({
    result: null,
    by: 'desk',
    set: { orderId: '90071992547409931234' },
    entries: [
      { by: 'desk', from: null, to: null, detail: { kind: 'answer', attemptId: 'a', answer, late: true } },
      { by: ANN, from: null, to: null, detail: { kind: 'answer_opened' } },
    ],
    readings: [
      { nth: 0, dueAt: 1 },
      { nth: 10, dueAt: 2 },
    ],
  }));
  await database.write(async (sql) => {
    await sql.run(
      `INSERT INTO observed_prices (kind, product_id, country, amount, divisor, since, latest, observations)
       VALUES ('buy', 'lt-monthly', 'US', '10.00', '90071992547409931234', 1, 2, 3)`,
    );
    await sql.run(
      `INSERT INTO batches (id, submission, requester, requester_person, created_at) VALUES ('B-1', 'of a batch', 'U0ANN', 'U0ANN', 1)`,
    );
    await sql.run(
      `INSERT INTO order_reminders (order_id, ends_at, rung, owner, reminder) VALUES ('90071992547409931234', 1, 7, 'U0ANN', NULL)`,
    );
  });
  for (const balance of ['100000000000000000000.10', '0.0000000001'] as Money[])
    await account.keep(await account.ticket(), { balance, asker: 'command', taken: { process: 'one', ms: 0 } });
  const batch = { id: 'B-1', place: 1 };
  ids.push(await filed(ledger, { kind: 'renew', orderId: '90071992547409931234', quantity: null, basket: [], batch }));
  for (const notice of (await outbox.leaseNotices(10, 1)).slice(0, 5))
    await outbox.noticeShown(notice, { channel: 'C0APPROVALS', ts: `1700000000.00000${notice.id}` }, 1);
  await ledger.changeFreeze(() => ({ result: null, by: BEN, click: 'refused' }), 'a click that counted');
  await drafts.create(BEN, { typed: 'US 10' });
  const basket = { id: 'S-1', name: 'Größe "東京"', basket: [{ country: 'US', quantity: 10 }], plan: '1' };
  const saved = { ...basket, by: BEN, at: 0 };
  await baskets.change(() => ({ result: saved, entry: { by: BEN, detail: { kind: 'basket_saved', ...basket } } }));
  await homes.opened(BEN);
  return ids;
}

/** Every row of these tables, in no order. */
export async function contentOf(
  opened: OpenLedger,
  tables: readonly string[],
): Promise<Record<string, readonly string[]>> {
  return opened.database.read(async (sql) => {
    const content: Record<string, readonly string[]> = {};
    for (const table of tables) content[table] = (await sql.all(`SELECT * FROM ${table}`)).map(asText).sort();
    return content;
  });
}

function asText(row: Row): string {
  return JSON.stringify(
    Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)),
    // What PostgreSQL cannot keep.
    (_, value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value),
  );
}
