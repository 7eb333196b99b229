import type { Change } from '../purchasing/model/change.ts';
import { THE_BOT } from '../purchasing/model/entries.ts';
import type { NewPurchase } from '../purchasing/model/filing.ts';
import type { Freeze } from '../purchasing/model/freeze.ts';
import { owedAtFiling } from '../purchasing/model/outbox.ts';
import { COUNTED_STATES, type Purchase, type State } from '../purchasing/model/purchase.ts';
import { oweNewsOfBatch } from './batches.ts';
import { insertNotice, redrawBeside, redrawOrders, redrawRequested } from './outbox.ts';
import { changeable, fromNewPurchase, number, text } from './rows.ts';
import { insertRows, one, type Params, type Row, runOne, type Sql } from './sql.ts';

// Everything that is written of a purchase and of a freeze, inside a transaction that has just read it.

export async function readFreeze(sql: Sql): Promise<Freeze | null> {
  return toFreeze(await one(sql, 'SELECT frozen_by, frozen_reason, frozen_at FROM desk WHERE id = 1'));
}

/** @param row the desk's, with whatever else was asked for beside it */
export function toFreeze(row: Row | undefined): Freeze | null {
  if (!row) throw new Error('the desk row is missing');
  if (row['frozen_at'] === null) return null;
  return { by: text(row, 'frozen_by'), reason: text(row, 'frozen_reason'), at: number(row, 'frozen_at') };
}

/** Writes the freeze and its entry; that the messages of what is open are to show it, a trigger says. */
export async function setFreeze(sql: Sql, to: Freeze | null, by: string): Promise<void> {
  await runOne(sql, 'UPDATE desk SET frozen_by = :by, frozen_reason = :reason, frozen_at = :at WHERE id = 1', {
    by: to?.by ?? null,
    reason: to?.reason ?? null,
    at: to?.at ?? null,
  });
  const detail = to ? { kind: 'frozen', reason: to.reason } : { kind: 'unfrozen' };
  await insertEntries(sql, [{ by, detail }], await sql.now());
}

export async function insertPurchase(sql: Sql, purchase: NewPurchase, now: number): Promise<void> {
  const row = fromNewPurchase(purchase, now);
  const columns = Object.keys(row);
  await runOne(
    sql,
    `INSERT INTO purchases (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
    row,
  );
  for (const notice of purchase.notices) await insertNotice(sql, notice, purchase.id);
  if (purchase.kind === 'renew' && purchase.orderId !== null) await redrawOrders(sql, [purchase.orderId]);
  if (purchase.twoPeople) await redrawRequested(sql, purchase.requesterPerson);
}

/**
 * A purchase that the ledger has forgotten, as it was last seen; its submission may have been filed again since, as another one. Its
 * batch is forgotten too: from then on it stands alone.
 */
export async function putBack(sql: Sql, lost: Purchase, now: number): Promise<void> {
  const { id, submission, state, approver, firstApprover } = lost;
  if (state !== 'requested' && state !== 'approved') throw new Error(`${id} cannot be put back ${state}`);
  const again = await one(sql, 'SELECT 1 AS taken FROM purchases WHERE submission = :submission', { submission });
  const purchase = { ...lost, batch: null, submission: again ? `${submission} of ${id}` : submission };
  await insertPurchase(sql, { ...purchase, filedBy: THE_BOT, evidence: {}, notices: owedAtFiling(purchase) }, now);
  await runOne(sql, 'UPDATE purchases SET approver = :approver, first_approver = :first_approver WHERE id = :id', {
    id,
    approver,
    first_approver: firstApprover,
  });
}

/** The first to record a reading has it; another process that took the same one writes nothing. */
async function takeReading(sql: Sql, id: string, nth: number | undefined): Promise<boolean> {
  if (nth === undefined) return true;
  return (await sql.run('DELETE FROM readings WHERE purchase_id = :id AND nth = :nth', { id, nth })) === 1;
}

/** Entries first, then the transition; triggers write its own entry, and have what is posted drawn again. The state and version that were read must still stand. */
export async function compareAndSet(sql: Sql, purchase: Purchase, change: Change<unknown>, now: number): Promise<void> {
  const { id } = purchase;
  if (!(await takeReading(sql, id, change.taken))) return;
  if (change.to === purchase.state) throw new Error(`no such transition: ${change.to} to itself`);
  const entries = (change.entries ?? []).map((entry) => ({ ...entry, of: { purchase_id: id } }));
  await insertEntries(sql, entries, now);

  const seen = isSeen(change);
  if (seen || change.set !== undefined) {
    await runOne(
      sql,
      `UPDATE purchases SET
         state = :to, version = version + :seen, changed_at = :changed_at, changed_by = :by, evidence = :evidence,
         approver = :approver, first_approver = :first_approver, order_id = :order_id, send_by = :send_by, send_after = :send_after, attempt = :attempt,
         attempt_deadline = :attempt_deadline, declined_how = :declined_how, why = :why
       WHERE id = :id AND state = :from AND version = :version`,
      {
        ...changeable(purchase, change.set ?? {}),
        id,
        from: purchase.state,
        version: purchase.version,
        seen: seen ? 1 : 0,
        to: change.to ?? purchase.state,
        changed_at: change.to === undefined ? purchase.changedAt : now,
        by: change.by,
        evidence: JSON.stringify(change.evidence ?? {}),
      },
    );
    if (seen && purchase.kind === 'renew' && purchase.orderId !== null) await redrawOrders(sql, [purchase.orderId]);
    if (change.to !== undefined) await redrawOthers(sql, purchase, change.to);
  }
  for (const notice of change.notices ?? []) await insertNotice(sql, notice, id);
  if (change.to !== undefined) await oweNewsOfBatch(sql, purchase);
  if (change.readings) {
    await sql.run('DELETE FROM readings WHERE purchase_id = :id', { id });
    for (const { nth, dueAt } of change.readings)
      await runOne(sql, 'INSERT INTO readings (purchase_id, nth, due_at) VALUES (:id, :nth, :due_at)', {
        id,
        nth,
        due_at: dueAt,
      });
  }
}

/** What they have split may need one person more by now, or one less. Only what needs two shows the others, and only it may need less. */
async function redrawOthers(sql: Sql, { state, requesterPerson }: Purchase, to: State): Promise<void> {
  if (isCounted(to) === isCounted(state)) return;
  await (isCounted(to) ? redrawRequested : redrawBeside)(sql, requesterPerson);
}

function isCounted(state: State): boolean {
  return (COUNTED_STATES as readonly State[]).includes(state);
}

/** Whether the posted messages show it: a refused click, a look at the answer or a wait of the lane changes none of them. */
function isSeen({ to, set = {}, entries = [] }: Change<unknown>): boolean {
  return (
    to !== undefined ||
    Object.keys(set).some((name) => name !== 'sendAfter') ||
    entries.some(({ detail }) => detail.kind !== 'refused' && detail.kind !== 'answer_opened')
  );
}

/** A line of the ledger; `of` is the column, with its value, of what it belongs to. A ledger of an earlier version has not all of them. */
interface EntryToWrite {
  readonly by: string;
  readonly from?: State | null;
  readonly to?: State | null;
  readonly detail: { readonly kind: string };
  readonly of?: Params;
}

/** @param entries all of purchases, all of orders, or the like */
export async function insertEntries(sql: Sql, entries: readonly EntryToWrite[], at: number): Promise<void> {
  await insertRows(
    sql,
    'entries',
    entries.map(({ by, from = null, to = null, detail: { kind, ...detail }, of = {} }) => ({
      purchase_id: null,
      ...of,
      at,
      by,
      from_state: from,
      to_state: to,
      kind,
      detail: JSON.stringify(detail),
    })),
  );
}
