import type { Entry } from '../purchasing/model/entries.ts';
import type { NewPurchase } from '../purchasing/model/filing.ts';
import type { OrderEntry } from '../purchasing/model/order.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import type { Audience, Notice, NoticeKind } from '../purchasing/model/outbox.ts';
import type {
  Counted,
  DeclinedHow,
  Kind,
  Purchase,
  PurchaseChange,
  State,
  Twin,
} from '../purchasing/model/purchase.ts';
import { attempt, basket, detailOf, json, orderDetailOf, plan, repeated } from './json-columns.ts';
import type { Params, Row } from './sql.ts';

// Columns of text and numbers are what the schema's constraints say: they are named here, not validated again. JSON columns are.

export function toPurchase(row: Row): Purchase {
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind') as Kind,
    state: text(row, 'state') as State,
    version: number(row, 'version'),
    requester: text(row, 'requester'),
    requesterPerson: text(row, 'requester_person'),
    approver: textOrNull(row, 'approver'),
    firstApprover: textOrNull(row, 'first_approver'),
    plan: repeated(row, 'plan', plan),
    basket: repeated(row, 'basket', basket),
    quantity: numberOrNull(row, 'quantity'),
    orderId: textOrNull(row, 'order_id') as OrderId | null,
    reason: text(row, 'reason'),
    submission: text(row, 'submission'),
    contentKey: text(row, 'content_key'),
    // A ledger of an earlier version, opened for reading, has no such column.
    batch: row['batch_id'] ? { id: text(row, 'batch_id'), place: number(row, 'batch_place') } : null,
    needsApproval: number(row, 'needs_approval') === 1,
    createdAt: number(row, 'created_at'),
    expiresAt: number(row, 'expires_at'),
    changedAt: number(row, 'changed_at'),
    sendBy: numberOrNull(row, 'send_by'),
    sendAfter: numberOrNull(row, 'send_after'),
    attempt: row['attempt'] === null ? null : json(row, 'attempt', attempt),
    declinedHow: textOrNull(row, 'declined_how') as DeclinedHow | null,
    why: textOrNull(row, 'why'),
  };
}

export function fromNewPurchase(purchase: NewPurchase, now: number): Params {
  return {
    id: purchase.id,
    kind: purchase.kind,
    state: purchase.state,
    requester: purchase.requester,
    requester_person: purchase.requesterPerson,
    plan: JSON.stringify(purchase.plan),
    basket: JSON.stringify(purchase.basket),
    quantity: purchase.quantity,
    order_id: purchase.orderId,
    reason: purchase.reason,
    submission: purchase.submission,
    content_key: purchase.contentKey,
    batch_id: purchase.batch?.id ?? null,
    batch_place: purchase.batch?.place ?? null,
    needs_approval: purchase.needsApproval ? 1 : 0,
    created_at: purchase.createdAt,
    expires_at: purchase.expiresAt,
    changed_at: now,
    send_by: purchase.sendBy,
    changed_by: purchase.filedBy,
    evidence: JSON.stringify(purchase.evidence),
  };
}

/** The columns that may change after filing, as they stand with `change` applied. */
export function changeable(purchase: Purchase, change: PurchaseChange): Params {
  const next = { ...purchase, ...change };
  return {
    approver: next.approver,
    first_approver: next.firstApprover,
    order_id: next.orderId,
    send_by: next.sendBy,
    send_after: next.sendAfter,
    attempt: next.attempt === null ? null : JSON.stringify(next.attempt),
    attempt_deadline: next.attempt?.deadline ?? null,
    declined_how: next.declinedHow,
    why: next.why,
  };
}

/** Without its cost. */
export function toCounted(row: Row): Pick<Counted, 'plan' | 'quantity'> {
  return { plan: repeated(row, 'plan', plan), quantity: numberOrNull(row, 'quantity') };
}

export function toTwin(row: Row): Twin & { declinedByVendor: boolean } {
  return {
    id: text(row, 'id'),
    state: text(row, 'state') as State,
    requester: text(row, 'requester'),
    changedAt: number(row, 'changed_at'),
    declinedByVendor: row['state'] === 'declined' && row['declined_how'] === 'vendor',
  };
}

export function toEntry(row: Row): Entry {
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    by: text(row, 'by'),
    from: textOrNull(row, 'from_state') as State | null,
    to: textOrNull(row, 'to_state') as State | null,
    detail: detailOf(row, text(row, 'kind')),
  };
}

export function toOrderEntry(row: Row): OrderEntry {
  return {
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    by: text(row, 'by'),
    detail: orderDetailOf(row, text(row, 'kind')),
  };
}

export function toNotice(row: Row): Notice {
  return {
    id: number(row, 'id'),
    key: text(row, 'key'),
    purchaseId: textOrNull(row, 'purchase_id'),
    batchId: row['batch_id'] ? text(row, 'batch_id') : null,
    kind: text(row, 'kind') as NoticeKind,
    audience: text(row, 'audience') as Audience,
    about: textOrNull(row, 'about') as State | null,
    text: textOrNull(row, 'text'),
    by: textOrNull(row, 'by'),
    channel: textOrNull(row, 'channel'),
    ts: textOrNull(row, 'ts'),
    attempts: number(row, 'attempts'),
    leasedUntil: number(row, 'claimed_until'),
    revision: number(row, 'revision'),
    shown: textOrNull(row, 'shown'),
    createdAt: number(row, 'created_at'),
  };
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`column ${column} is not text`);
  return value;
}

export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`column ${column} is not a number`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}
