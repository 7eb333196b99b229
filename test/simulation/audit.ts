import { THE_BOT } from '../../src/purchasing/model/entries.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import {
  COUNTED_STATES,
  LISTED_TRANSITIONS,
  OPEN_STATES,
  type Purchase,
  type State,
} from '../../src/purchasing/model/purchase.ts';
import type { VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import type { Books } from './books.ts';
import type { Dollars } from './dollars-audit.ts';
import { endsWithOrder, filedKept, isKeeper, sendsKept, toldOnce } from './kept-audit.ts';
import type { Known, Line, Try } from './known.ts';
import type { Office } from './people.ts';
import { Violation } from './violation.ts';

const DAY_MS = 24 * 3_600_000;
const START_WITHIN_MS = 5_000;
const GRACE_MS = 15_000;
/** Three looks at rights and one at the balance take 43 s at most, the commit and the start of the POST 5 s; the rest is slack. */
const CHECKS_HOLD_MS = 50_000;

/** Who has just committed. */
export interface Committer {
  readonly name: string;
  readonly policy: Policy;
  /** When the asking began on which a click of this person rests. */
  clickedSince(user: string): number;
  /** What this person has clicked and this process is at. */
  deliveries(user: string): readonly { readonly click: string }[];
  /** When the asking began on which the sending rests. */
  readonly askedSince: number;
}

export interface AuditDeps {
  readonly known: Known;
  readonly books: Books;
  readonly office: Office;
  readonly time: () => number;
  readonly wall: () => number;
  /** When the vendor served the reading with this time. */
  readonly servedAt: (readAt: number) => number | undefined;
  /** Whether the tick "a new, separate purchase" was set. */
  readonly ticked: (submission: string) => boolean;
  /** How many rows a submission asked for. */
  readonly batchSize: (submission: string) => number | undefined;
  /** Whether the click strikes the row out. */
  readonly strikes: (click: string, purchase: string) => boolean;
  readonly dollars: Dollars;
}

/** What somebody does without a transition, and may do once with one click. */
const OF_PURCHASES = ['frozen', 'unfrozen', 'order_id', 'first_yes', 'first_yes_taken_back'];
const COUNTING = new Set<string>([...OF_PURCHASES, 'order_intent', 'order_owner']);

/** Looks after every step whether the promises still hold; knows the truth, and takes nothing from the product's rules. */
export class Audit {
  readonly #deps: AuditDeps;
  /** Which delivery of each click had its effect. */
  readonly #counted = new Map<string, object>();
  /** Who said yes first, by purchase, as long as they have not taken it back. */
  readonly #yes = new Map<string, string>();
  /** On whose yes each purchase rests that needed two. */
  readonly #both = new Map<string, readonly [string, string]>();

  constructor(deps: AuditDeps) {
    this.#deps = deps;
  }

  /** Before the vendor does anything with it. */
  arriving(order: VendorOrder): { readonly purchase: string; readonly attempt: string } {
    const { known, books, time } = this.#deps;
    known.look();
    const sending = [...known.purchases.values()].find(({ state }) => state === 'sending');
    const attempt = sending?.attempt;
    if (!sending || !attempt || !sameOrder(sending, order))
      throw new Violation('post_without_sending', JSON.stringify(order));
    if (books.postsOf(sending.id).length > 0) throw new Violation('second_post', sending.id);
    const begun = known.tries.find(({ id }) => id === attempt.id);
    if (!begun || time() - begun.at > START_WITHIN_MS) throw new Violation('late_post', `${sending.id}, ${attempt.id}`);
    this.#rightsNow(sending, begun);
    return { purchase: sending.id, attempt: attempt.id };
  }

  /** A commit that came too late is harmless: its request does not start. So this is asked when it does. */
  #rightsNow(sending: Purchase, { askedSince }: Try): void {
    const { office, time } = this.#deps;
    const from = Math.max(askedSince, time() - CHECKS_HOLD_MS);
    const people = [
      [sending.requester, sending.kind],
      ...(sending.approver === null ? [] : [[sending.approver, 'approve'] as const]),
      ...(this.#both.get(sending.id) ?? []).map((user) => [user, 'approve'] as const),
    ] as const;
    for (const [user, right] of people)
      if (!office.mayHaveHad(user, right, from, time()))
        throw new Violation('no_right_at_sending', `${sending.id}: ${user} to ${right}`);
  }

  /** After a commit. */
  committed(by: Committer): void {
    const { known } = this.#deps;
    const lines = known.newLines();
    if (lines.length === 0) return;
    const before = known.look();
    const sending = [...known.purchases.values()].filter(({ state }) => state === 'sending');
    if (sending.length > 1) throw new Violation('two_sending', sending.map(({ id }) => id).join(' and '));
    this.#batches();
    toldOnce(known);
    for (const line of lines) {
      this.#countsOnce(line, by);
      const purchase = line.purchase === null ? undefined : known.purchases.get(line.purchase);
      if (!purchase) continue;
      this.#evidence(line, purchase, lines);
      this.#firstYes(line, purchase, by);
      if (line.to !== null) this.#transition(line, line.to, purchase, before, lines, by);
    }
    for (const [id, { state }] of known.purchases) {
      const was = before.get(id)?.state ?? null;
      const moves = lines.filter((line) => line.purchase === id && line.to !== null);
      if (state !== was && moves.at(-1)?.to !== state)
        throw new Violation('unlisted', `${id} ${was} → ${state} without an entry`);
    }
  }

  #batches(): void {
    const { known, batchSize } = this.#deps;
    const batches = known.rows('SELECT id, submission FROM batches ORDER BY id');
    const bySubmission = Map.groupBy(batches, ({ submission }) => String(submission));
    for (const [submission, of] of bySubmission) {
      if (of.length > 1) throw new Violation('batch_twice', of.map(({ id }) => String(id)).join(' and '));
      const id = String(of[0]?.['id']);
      const rows = [...known.purchases.values()].filter(({ batch }) => batch?.id === id);
      if (rows.length !== batchSize(submission)) throw new Violation('half_batch', `${id} has ${rows.length} rows`);
    }
  }

  /** Where several clicks of one person are under way in one process, nobody can tell whose it was. */
  #countsOnce(line: Line, by: Committer): void {
    const [delivery, ...others] = by.deliveries(line.by);
    const counts = (line.to !== null && line.from !== null) || COUNTING.has(line.detail.kind);
    if (!delivery || others.length > 0 || !counts) return;
    const first = this.#counted.get(delivery.click) ?? delivery;
    if (first !== delivery)
      throw new Violation('counted_twice', `${delivery.click} of ${line.by}, ${line.detail.kind}`);
    this.#counted.set(delivery.click, delivery);
  }

  #transition(
    line: Line,
    to: State,
    now: Purchase,
    before: ReadonlyMap<string, Purchase>,
    lines: readonly Line[],
    by: Committer,
  ): void {
    const was = before.get(now.id);
    if ((was?.state ?? null) !== line.from)
      throw new Violation('unlisted', `${now.id} was ${was?.state}, not ${line.from}`);
    if (!was) {
      this.#filing(now, before, by);
      filedKept(line, now, this.#deps.known, this.#deps.wall());
      return;
    }
    if (!(LISTED_TRANSITIONS[was.state] as readonly State[]).includes(to))
      throw new Violation('unlisted', `${now.id} ${was.state} → ${to}`);
    const what = `${now.id} ${was.state} → ${to} by ${line.by}`;
    switch (to) {
      case 'approved':
        if (was.state === 'requested') this.#approval(line, was, now, before, by);
        else this.#notSent(was, what);
        break;
      case 'rejected':
        this.#rightfulOther(line, was, by, 'wrong_approver', what);
        break;
      case 'withdrawn':
        if (line.by !== was.requester && !endsWithOrder(line, was, lines, this.#deps.known))
          throw new Violation('wrong_hands', what);
        this.#nothingSent(was, what);
        break;
      case 'expired':
        if (
          line.by !== THE_BOT ||
          this.#deps.wall() < (was.state === 'requested' ? was.expiresAt : (was.sendBy ?? Infinity))
        )
          throw new Violation('wrong_hands', what);
        this.#nothingSent(was, what);
        break;
      case 'sending':
        this.#sending(now, before, by);
        break;
      default:
        this.#outcome(line, to, was, now, lines, by, what);
    }
  }

  #filing(now: Purchase, before: ReadonlyMap<string, Purchase>, by: Committer): void {
    const others = [...this.#deps.known.purchases.values()]
      .filter(({ id }) => id !== now.id)
      .map((other) => before.get(other.id) ?? other);
    const twins = others.filter(({ contentKey }) => contentKey === now.contentKey);
    const open = twins.find(({ state }) => (OPEN_STATES as readonly State[]).includes(state));
    if (open) throw new Violation('twin_filed', `${now.id} beside ${open.id}, ${open.state}`);
    const done = twins.find(({ state, changedAt }) => state === 'completed' && changedAt > this.#deps.wall() - DAY_MS);
    if (done && !this.#deps.ticked(now.submission)) throw new Violation('twin_unticked', `${now.id} after ${done.id}`);
    const counted = this.#countedIps(now, others);
    const { limits } = by.policy;
    if (
      now.quantity !== null &&
      (now.quantity > limits.ipsPerOrder || counted + now.quantity > limits.ipsPerPersonPerDay)
    )
      throw new Violation('over_limit', `${now.id}: ${counted} + ${now.quantity}`);
    this.#deps.dollars.filed(now, others, by.policy);
    const free = this.#isFree(now, others, others, by.policy) && !this.#needsTwo(now, others, by.policy);
    if (now.state === 'approved' && !free) throw new Violation('not_allowed', `${now.id} is filed approved`);
  }

  #approval(line: Line, was: Purchase, now: Purchase, before: ReadonlyMap<string, Purchase>, by: Committer): void {
    if (this.#deps.wall() >= was.expiresAt) throw new Violation('too_old', `${was.id} is approved`);
    const [click, ...more] = by.deliveries(line.by);
    if (click && more.length === 0 && this.#deps.strikes(click.click, was.id))
      throw new Violation('struck_out', `${was.id} is approved by ${line.by}`);
    if (now.approver !== line.by)
      throw new Violation('wrong_approver', `${was.id}: ${line.by} is kept as ${now.approver}`);
    this.#rightfulOther(line, was, by, 'wrong_approver', `${was.id} approved by ${line.by}`);
    if (isKeeper(line, was, this.#deps.known))
      throw new Violation('wrong_approver', `${was.id}: ${line.by} has said Keep`);
    const others = [...before.values()].filter(({ id }) => id !== was.id);
    if (this.#needsTwo(was, others, by.policy)) this.#both.set(was.id, this.#twoOf(was.id, line.by));
  }

  #firstYes(line: Line, purchase: Purchase, by: Committer): void {
    const { kind } = line.detail;
    if (kind === 'first_yes') {
      this.#rightfulOther(line, purchase, by, 'wrong_approver', `${line.by} says yes to ${purchase.id}`);
      if (isKeeper(line, purchase, this.#deps.known))
        throw new Violation('wrong_approver', `${purchase.id}: ${line.by} has said Keep`);
      if (purchase.state !== 'requested') throw new Violation('wrong_hands', `a first yes to ${purchase.id}`);
      this.#yes.set(purchase.id, line.by);
    }
    if (kind !== 'first_yes_taken_back') return;
    if (this.#yes.get(purchase.id) !== line.by) throw new Violation('wrong_hands', `${line.by} takes back a yes`);
    this.#yes.delete(purchase.id);
  }

  /** @returns who said yes, where they are two. */
  #twoOf(id: string, second: string | null): readonly [string, string] {
    const { office } = this.#deps;
    const first = this.#yes.get(id);
    if (first === undefined || second === null || !office.idsOf(first).isDisjointFrom(office.idsOf(second)))
      throw new Violation('one_person', `${id} by ${first} and ${second}`);
    return [first, second];
  }

  #needsTwo(of: Purchase, others: readonly Purchase[], policy: Policy): boolean {
    const { approvals } = policy;
    if (this.#deps.dollars.needTwo(of, this.#lately(of, others), policy)) return true;
    if (approvals.mode === 'off' || approvals.twoPeopleAbove === null) return false;
    const samePlan = others.filter(({ plan }) => plan.productId === of.plan.productId);
    return of.quantity === null || of.quantity + this.#countedIps(of, samePlan) > approvals.twoPeopleAbove;
  }

  #rightfulOther(
    line: Line,
    was: Purchase,
    by: Committer,
    rule: 'wrong_approver' | 'moved_by_nobody',
    what: string,
  ): void {
    const { office, time } = this.#deps;
    if (line.by === THE_BOT || line.by === was.requester) throw new Violation(rule, what);
    if (!office.mayHaveHad(line.by, 'approve', by.clickedSince(line.by), time())) throw new Violation(rule, what);
  }

  #sending(now: Purchase, before: ReadonlyMap<string, Purchase>, by: Committer): void {
    const { known, time, wall, servedAt } = this.#deps;
    const attempt = now.attempt;
    if (!attempt) throw new Violation('unlisted', `${now.id} is sending without an attempt`);
    if (known.frozen()) throw new Violation('frozen_sent', now.id);
    sendsKept(now, known);
    if (wall() >= (now.sendBy ?? 0)) throw new Violation('too_old', `${now.id} is sent`);
    const others = [...before.values()].filter(({ id }) => id !== now.id);
    const twin = others.find(
      ({ contentKey, state }) => contentKey === now.contentKey && ['sending', 'unknown'].includes(state),
    );
    if (twin) throw new Violation('twin_sent', `${now.id} beside ${twin.id}`);
    const unknown = others.find(
      ({ batch, state }) => batch !== null && batch.id === now.batch?.id && state === 'unknown',
    );
    if (unknown) throw new Violation('held_sent', `${now.id} beside ${unknown.id}`);
    const earlier = others.slice(0, [...before.keys()].indexOf(now.id));
    this.#deps.dollars.sending(now, others, earlier, by.policy);
    if (now.approver === null && !this.#isFree(now, earlier, others, by.policy))
      throw new Violation('not_allowed', `${now.id} is sent`);
    if (this.#needsTwo(now, earlier, by.policy)) this.#twoOf(now.id, now.approver);
    if (attempt.number > 3 || attempt.at - attempt.firstAt > 60_000) throw new Violation('too_many_attempts', now.id);

    const last = known.tries.at(-1);
    if (last && (last.endedAt === null || !last.firstReading))
      throw new Violation('lane_early', `${now.id} after ${last.purchase}`);
    const served = servedAt(attempt.balanceBeforeAt);
    if (served !== undefined && served < (last?.endedAt ?? 0))
      throw new Violation('stale_balance', `${now.id} after ${last?.purchase}`);
    known.tries.push({
      id: attempt.id,
      purchase: now.id,
      at: time(),
      askedSince: by.askedSince,
      endedAt: null,
      firstReading: false,
    });
  }

  #outcome(
    line: Line,
    to: State,
    was: Purchase,
    now: Purchase,
    lines: readonly Line[],
    by: Committer,
    what: string,
  ): void {
    const { books, wall } = this.#deps;
    if (was.state === 'unknown') {
      this.#rightfulOther(line, was, by, 'moved_by_nobody', what);
      if (isKeeper(line, was, this.#deps.known)) throw new Violation('moved_by_nobody', what);
      return;
    }
    if (line.by !== THE_BOT) throw new Violation('wrong_hands', what);
    const post = books.postsOf(now.id).at(-1);
    const mine = lines.filter(({ purchase }) => purchase === now.id);
    if (to === 'declined' && now.declinedHow === 'not_sent') {
      this.#nothingSent(now, what);
      return;
    }
    if (to === 'completed' && !(post?.said === 'yes' && post.answered)) throw new Violation('guessed', what);
    if (to === 'declined' && !(post?.said === 'no' && post.answered)) throw new Violation('guessed', what);
    if (
      to === 'unknown' &&
      was.state === 'sending' &&
      !mine.some(({ detail }) => ['answer', 'reading'].includes(detail.kind))
    ) {
      if (wall() < (was.attempt?.deadline ?? 0) + GRACE_MS) throw new Violation('early_unknown', what);
      this.#ended(now.id);
    }
  }

  #evidence(line: Line, now: Purchase, lines: readonly Line[]): void {
    const { known, servedAt } = this.#deps;
    const moved = lines.some(({ purchase, to }) => purchase === now.id && to !== null);
    if (line.detail.kind === 'answer') {
      if (line.detail.late && moved) throw new Violation('late_answer_moved', now.id);
      if (!line.detail.late) this.#ended(now.id);
    }
    if (line.detail.kind !== 'reading') return;
    const own = known.lastTry(now.id);
    if (!own) throw new Violation('stale_reading', `${now.id} was never sent`);
    const served = servedAt(line.detail.readAt);
    if (own.endedAt === null || (served !== undefined && served < own.endedAt))
      throw new Violation('stale_reading', `${now.id}, read at ${served}, sent until ${own.endedAt}`);
    if (line.detail.nth === 0) own.firstReading = true;
    const alone = known.tries.at(-1) === own;
    const contradicts = lines.some(({ purchase, to }) => purchase === now.id && to === 'unknown');
    if ((contradicts || line.detail.alone) && !alone) throw new Violation('false_contradiction', now.id);
  }

  #ended(purchase: string): void {
    const own: Try | undefined = this.#deps.known.lastTry(purchase);
    if (own) own.endedAt ??= this.#deps.time();
  }

  #notSent(was: Purchase, what: string): void {
    if (this.#deps.books.posts.some(({ attempt }) => attempt === was.attempt?.id)) throw new Violation('guessed', what);
  }

  #nothingSent(was: Purchase, what: string): void {
    if (this.#deps.books.postsOf(was.id).length > 0) throw new Violation('guessed', `${what}, though there was a POST`);
  }

  #isFree(of: Purchase, counted: readonly Purchase[], all: readonly Purchase[], policy: Policy): boolean {
    const { dollars } = this.#deps;
    return (
      isFree(of, this.#countedIps(of, counted), policy) && dollars.areFree(of, this.#lately(of, counted), all, policy)
    );
  }

  #countedIps(of: Purchase, others: readonly Purchase[]): number {
    return this.#lately(of, others).reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
  }

  /** What the same person has asked for in the last 24 h, and may have been or may yet be spent. */
  #lately(of: Purchase, others: readonly Purchase[]): readonly Purchase[] {
    const since = this.#deps.wall() - DAY_MS;
    return others
      .filter(
        ({ requesterPerson, state }) =>
          requesterPerson === of.requesterPerson && (COUNTED_STATES as readonly State[]).includes(state),
      )
      .filter(({ state, changedAt }) => state !== 'completed' || changedAt > since);
  }
}

function isFree(purchase: Purchase, counted: number, { approvals }: Policy): boolean {
  if (approvals.mode === 'off') return true;
  if (purchase.kind === 'renew' && approvals.renewalsNeedApproval) return false;
  return purchase.quantity !== null && counted + purchase.quantity <= (approvals.freeUpTo ?? Infinity);
}

function sameOrder(purchase: Purchase, order: VendorOrder): boolean {
  if (order.kind === 'renew') return purchase.kind === 'renew' && purchase.orderId === order.orderId;
  return purchase.kind === 'buy' && JSON.stringify(purchase.basket) === JSON.stringify(order.basket);
}
