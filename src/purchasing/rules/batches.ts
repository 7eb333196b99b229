import { createHash } from 'node:crypto';
import type { Batch } from '../model/batch.ts';
import type { BatchChange, BatchFiling, BatchFilingFacts, BatchRow, BatchSubject } from '../model/batch-change.ts';
import type { Change } from '../model/change.ts';
import type { Click } from '../model/click.ts';
import { amountOf, shownAmount } from '../model/cost.ts';
import type { FilingFacts, NewPurchase } from '../model/filing.ts';
import type { Freeze } from '../model/freeze.ts';
import type { Money } from '../model/money.ts';
import type { OrderId } from '../model/order-id.ts';
import { owedAtBatchFiling } from '../model/outbox.ts';
import type { Policy } from '../model/policy.ts';
import type { Counted, Purchase, PurchaseAction, RenewContent, State } from '../model/purchase.ts';
import { isRefusal, type Refusal, type RefusedRow } from '../model/refusals.ts';
import type { Clicked } from './clicks.ts';
import {
  type Decided,
  decideApproval,
  decideRejection,
  decideTakingBack,
  decideWithdrawal,
  type FirstYes,
  refuse,
} from './decisions.ts';
import { withSpent } from './dollars.ts';
import { decideFiling, type Filing, type Promised, type Review, review, subjectOf } from './filing.ts';
import type { Clicker } from './rights.ts';

// Every rule about a batch is the rule about a purchase, asked for each row: a row may do nothing that it might not do alone.

/** What a form and its review put together, and its submit files; each order once. */
export interface BatchProposal {
  readonly submission: string;
  /** Slack user id, as received. */
  readonly requester: string;
  readonly contents: readonly RenewContent[];
  readonly reason: string;
  /** Renewed in the last 24 h, which the review has said: "this is a new, separate purchase". No others than it has shown. */
  readonly separate: readonly OrderId[];
}

export interface BatchReview {
  /** All of it is asked for together: approval, as soon as one row needs it. */
  readonly needsApproval: boolean;
  /** Of each content, in its order: what it needs, or why it cannot be filed. */
  readonly rows: readonly (Review | Refusal)[];
}

export type BatchFiled =
  | (Pick<Batch, 'id' | 'rows'> & { readonly again: boolean; readonly freeze: Freeze | null })
  | Refusal;

export function batchSubjectOf(
  { submission, contents }: Pick<BatchProposal, 'submission' | 'contents'>,
  requesterIds: ReadonlySet<string>,
  policy: Policy,
  click?: Click,
): BatchSubject {
  return {
    submission,
    click: click?.id,
    rows: contents.map((content) =>
      subjectOf({ submission: rowSubmission(submission, content.orderId), content }, requesterIds, policy),
    ),
  };
}

function rowSubmission(submission: string, orderId: OrderId): string {
  return `${submission}:${orderId}`;
}

/** What filing all of it would need. */
export function reviewBatch(
  { contents }: Pick<BatchProposal, 'contents'>,
  facts: BatchFilingFacts,
  policy: Policy,
): BatchReview {
  const before: Counted[] = [];
  const rows = contents.map((content, index) => {
    const own = factsOf(facts, index);
    const found = refuseFiledAlone(own, facts) ?? review(content, withRowsBefore(own, before), policy);
    if (!isRefusal(found)) before.push({ plan: content.plan, quantity: found.quantity, cost: amountOf(found.cost) });
    return found;
  });
  return { needsApproval: rows.some((found) => !isRefusal(found) && found.needsApproval), rows };
}

/** What a review of a batch said that was submitted. */
export interface BatchPromised {
  readonly needsApproval: boolean;
  /** Of each row, as {@link Promised.cost}. */
  readonly costs?: readonly (Money | null)[] | undefined;
  /** Of each row, as {@link Promised.lastTwin}. */
  readonly lastTwins?: readonly (string | null)[] | undefined;
}

/**
 * Files all rows, or none and says of each why not. Each is decided by the rule of a purchase that is asked for alone, as if the rows
 * before it had been filed. @param promised as in {@link decideFiling}
 */
export function decideBatchFiling(
  {
    id,
    ids,
    person,
    ...proposal
  }: BatchProposal & {
    readonly id: string;
    /** Of the rows. */
    readonly ids: readonly string[];
    readonly person: string;
  },
  promised: BatchPromised | Refusal,
  facts: BatchFilingFacts,
  policy: Policy,
): BatchFiling<BatchFiled> {
  const { now, freeze } = facts;
  if (facts.filed) return { result: { ...facts.filed, again: true, freeze } };
  if (isRefusal(promised)) return { result: promised };
  const { submission, requester, reason, separate } = proposal;
  const rows: NewPurchase[] = [];
  const before: Counted[] = [];
  const refused: RefusedRow[] = [];
  for (const [place, content] of proposal.contents.entries()) {
    const own = factsOf(facts, place);
    const alone = refuseFiledAlone(own, facts);
    if (alone) {
      refused.push({ orderId: content.orderId, because: alone });
      continue;
    }
    const filing: Filing = {
      id: ids[place] ?? '',
      submission: rowSubmission(submission, content.orderId),
      requester,
      person,
      content,
      reason,
      separate: separate.includes(content.orderId),
      neverSeenAccepted: false,
      batch: { id, place },
    };
    const { needsApproval, costs, lastTwins } = promised;
    const said: Promised = { needsApproval, cost: costs?.[place], lastTwin: lastTwins?.[place] };
    const { result, file } = decideFiling(filing, said, withRowsBefore(own, before), policy);
    if (file) {
      rows.push(file);
      before.push({ plan: file.plan, quantity: file.quantity, cost: amountOf(own.cost) });
    } else if (isRefusal(result)) refused.push({ orderId: content.orderId, because: result });
  }
  const [first] = rows;
  if (refused.length > 0 || !first) return { result: { refused: 'rows_refused', rows: refused } };
  const batch = { id, requester, requesterPerson: person, createdAt: now };
  return {
    result: { id, rows: rows.map(asFiled), again: false, freeze },
    file: { ...batch, submission, rows, notices: owedAtBatchFiling(id, first.state) },
  };
}

/**
 * A ledger that went back in time has forgotten the batch, and was given a row of it back, which stands alone: that row is not filed a
 * second time, and what becomes of the others is for a person to say.
 */
function refuseFiledAlone({ filed }: FilingFacts, { filed: batch }: BatchFilingFacts): Refusal | undefined {
  return filed && !batch ? { refused: 'filed_alone', id: filed.id, state: filed.state } : undefined;
}

/** As the ledger reads it from then on. */
function asFiled(purchase: NewPurchase): Purchase {
  const nothing = { approver: null, firstApprover: null, attempt: null, declinedHow: null, sendAfter: null };
  return { ...purchase, ...nothing, version: 1, changedAt: purchase.createdAt };
}

/** Equal for reviews that say the same. */
export function batchReviewId(contents: readonly RenewContent[], reason: string, found: BatchReview | Refusal): string {
  const said = isRefusal(found)
    ? found.refused
    : [
        found.needsApproval,
        found.rows.map((row) =>
          isRefusal(row)
            ? row.refused
            : [row.needsApproval, row.twoPeople, row.twin?.id, row.lastTwin, shownAmount(row.cost)],
        ),
      ];
  const shown = JSON.stringify([contents.map(({ orderId, plan }) => [orderId, plan.productId]), reason, said]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 32);
}

function factsOf({ rows }: BatchFilingFacts, index: number): FilingFacts {
  const facts = rows[index];
  if (!facts) throw new Error(`no facts of row ${index}`);
  return facts;
}

/** The facts of a row as they are once those before it are filed. */
function withRowsBefore(facts: FilingFacts, before: readonly Counted[]): FilingFacts {
  const counted = before.reduce((sum, { quantity }) => sum + (quantity ?? 0), facts.counted);
  const spent = withSpent(
    facts.spent,
    before.map(({ cost }) => cost),
  );
  return { ...facts, counted, spent, others: [...facts.others, ...before] };
}

/** What an approver says of the rows that were shown; of no others. */
export interface BatchDecision {
  readonly approve: ReadonlySet<string>;
  /** Struck out. */
  readonly reject: ReadonlySet<string>;
  /** Why they are rejected. */
  readonly reason: string;
}

export type BatchDecided = { readonly rows: readonly Purchase[] } | Refusal;

/** All rows that were shown are decided as shown, or none is: whatever has changed since has to be looked at again. */
export function decideBatch(
  rows: readonly BatchRow[],
  by: Clicker,
  { approve, reject, reason }: BatchDecision,
  policy: Policy,
  firsts: readonly FirstYes[] = [],
): BatchChange<BatchDecided> {
  return together(
    rows,
    rows.filter(({ purchase }) => approve.has(purchase.id) || reject.has(purchase.id)),
    ({ purchase, facts }) =>
      reject.has(purchase.id)
        ? decideRejection(purchase, facts, by, reason)
        : decideApproval(purchase, facts, by, policy, firstOf(purchase, firsts)),
  );
}

function firstOf({ firstApprover }: Purchase, firsts: readonly FirstYes[]): FirstYes | null {
  return firsts.find(({ user }) => user === firstApprover) ?? null;
}

/** Whatever has not been sent; what has, goes on. */
export function decideBatchWithdrawal(
  rows: readonly BatchRow[],
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): BatchChange<BatchDecided> {
  const open = rows.filter(({ purchase: { state } }) => state === 'requested' || state === 'approved');
  return together(rows, open.length > 0 ? open : rows.slice(0, 1), ({ purchase }) =>
    decideWithdrawal(purchase, by, clicked, policy),
  );
}

/** The first of two yeses, to whatever of the batch still waits. */
export function decideBatchTakingBack(
  rows: readonly BatchRow[],
  by: Clicker,
  clicked: Clicked,
  policy: Policy,
): BatchChange<BatchDecided> {
  const waiting = rows.filter(({ purchase: { state } }) => state === 'requested');
  const said = waiting.filter(({ purchase: { firstApprover } }) => firstApprover !== null);
  return together(rows, said.length > 0 ? said : [...waiting, ...rows].slice(0, 1), ({ purchase }) =>
    decideTakingBack(purchase, by, clicked, policy),
  );
}

/** What of it came to nothing, and may be asked for again. */
export function cameToNothing(rows: readonly Purchase[]): readonly Purchase[] {
  return rows.filter(({ state }) => NOTHING.includes(state));
}

const NOTHING: readonly State[] = ['rejected', 'declined', 'expired', 'withdrawn'];

/** A refusal, kept in the ledger with the first row. */
export function refuseBatch(
  [first]: readonly BatchRow[],
  action: PurchaseAction,
  by: Clicker,
  refusal: Refusal,
): BatchChange<BatchDecided> {
  return { result: refusal, changes: new Map(first ? [[first.purchase.id, refuse(action, by, refusal)]] : []) };
}

function together(
  rows: readonly BatchRow[],
  these: readonly BatchRow[],
  decide: (row: BatchRow) => Change<Decided>,
): BatchChange<BatchDecided> {
  const decided = these.map((row) => [row.purchase.id, decide(row)] as const);
  const refused = decided.filter(([, { result }]) => isRefusal(result));
  const [, no] = refused[0] ?? [];
  // Of what was refused the ledger keeps that; nothing else is done.
  if (no) return { result: no.result as Refusal, changes: new Map(refused) };
  if (decided.length === 0) return { result: { refused: 'no_such_purchase' }, changes: new Map() };
  const changes = new Map(decided);
  const after = rows.map(({ purchase }) => (changes.get(purchase.id)?.result as Purchase | undefined) ?? purchase);
  return { result: { rows: after }, changes };
}
