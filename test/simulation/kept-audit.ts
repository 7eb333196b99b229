import { type FilingEvidence, THE_BOT } from '../../src/purchasing/model/entries.ts';
import type { Intent } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Known, Line } from './known.ts';
import { Violation } from './violation.ts';

// What must hold of orders that are kept, and of what owners are reminded of: read in the ledger's lines, and nowhere else.

/** An order has filed it by itself. */
export function filedKept(line: Line, now: Purchase, known: Known, wall: number): void {
  if (line.by !== THE_BOT || now.orderId === null) return;
  const { kept } = evidenceOf(line);
  if (!kept) throw new Violation('kept_unwanted', `${now.id} is filed by nobody`);
  const what = `${now.id} for order ${now.orderId}, which ends at ${kept.endsAt}`;
  if (intentOf(known, now) !== 'keep' || ownerOf(known, now) !== now.requester || wall >= kept.endsAt)
    throw new Violation('kept_unwanted', what);
  const before = known
    .rows(
      `SELECT e.detail FROM entries e JOIN purchases p ON p.id = e.purchase_id
       WHERE p.order_id = ? AND p.id <> ? AND e.from_state IS NULL AND e.to_state IS NOT NULL`,
      now.orderId,
      now.id,
    )
    .map(({ detail }) => JSON.parse(String(detail)) as FilingEvidence);
  if (before.some((other) => other.kept?.endsAt === kept.endsAt)) throw new Violation('kept_twice', what);
}

/** It enters `sending`. */
export function sendsKept(now: Purchase, known: Known): void {
  if (known.sides(now.id)?.keptBy != null && intentOf(known, now) !== 'keep')
    throw new Violation('kept_unwanted', `${now.id} is sent, and its order is not kept any more`);
}

/** Whoever has said Keep does not decide on what is filed by that. */
export function isKeeper({ by }: Line, { id }: Purchase, known: Known): boolean {
  return known.sides(id)?.keptBy === by;
}

/** Letting the order end withdraws it, in the same transaction. */
export function endsWithOrder({ by }: Line, { id }: Purchase, lines: readonly Line[], known: Known): boolean {
  const said = lines.some((line) => String(line.detail.kind) === 'order_intent' && line.by === by);
  return said && known.sides(id)?.keptBy != null;
}

export function toldOnce(known: Known): void {
  const [twice] = known.rows(
    'SELECT order_id, ends_at, rung FROM order_reminders GROUP BY order_id, ends_at, rung HAVING COUNT(*) > 1',
  );
  if (twice) throw new Violation('reminded_twice', JSON.stringify(twice));
}

function evidenceOf({ detail }: Line): FilingEvidence {
  return detail.kind === 'transition' ? detail.evidence : {};
}

function intentOf(known: Known, { orderId }: Purchase): Intent | null {
  return lastSaid<{ intent: Intent | null }>(known, String(orderId), 'order_intent')?.intent ?? null;
}

function ownerOf(known: Known, { orderId }: Purchase): string | null {
  const of = (kind: string) => lastSaid<{ owner: string | null }>(known, String(orderId), kind)?.owner ?? null;
  return of('order_owner') ?? of('order_imported');
}

function lastSaid<T>(known: Known, orderId: string, kind: string): T | undefined {
  const [last] = known.rows(
    'SELECT detail FROM entries WHERE order_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1',
    orderId,
    kind,
  );
  return last && (JSON.parse(String(last['detail'])) as T);
}
