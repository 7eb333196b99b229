import { isCopy, isElsewhere } from './clicked.ts';
import type { Answer } from './model/answer.ts';
import type { BalanceReading } from './model/balance-reading.ts';
import type { ChangeRule } from './model/change.ts';
import type { Click } from './model/click.ts';
import type { ClickedMessage } from './model/clicked-message.ts';
import { DESK } from './model/entries.ts';
import type { BuyerFacts, FilingSubject } from './model/filing.ts';
import type { Freeze, FreezeRule } from './model/freeze.ts';
import type { OrderFacts } from './model/order.ts';
import { alert } from './model/outbox.ts';
import type { Policy } from './model/policy.ts';
import { contentKey, type Purchase } from './model/purchase.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import { RIGHTS, type Right } from './model/right.ts';
import type { Directory } from './ports/directory.ts';
import type { Ledger, PurchaseRecord } from './ports/ledger.ts';
import type { Outbox } from './ports/outbox.ts';
import type { Vendor } from './ports/vendor.ts';
import {
  type Clicker,
  type Decided,
  decideApproval,
  decideOrderId,
  decideRejection,
  decideSettlement,
  decideWithdrawal,
  isRequester,
  refuse,
  type Settlement,
  waitsFor,
  wrongState,
} from './rules/decisions.ts';
import { decideFiling, type Filed, type Filing, type Review, review, reviewId } from './rules/filing.ts';
import { decideFreeze, decideUnfreeze, freezeNow } from './rules/freezing.ts';
import { countOnce } from './rules/redelivery.ts';
import { checkRights, FRESH_RIGHTS_WITHIN_MS } from './rules/rights.ts';

export interface PurchasingDeps {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly vendor: Vendor;
  readonly directory: Directory;
  readonly policy: Policy;
  readonly newId: () => string;
  /** There is something new to send, read, sweep or tell. */
  readonly wake: () => void;
}

/** The draft that a review shows and that its submit files. */
export type Proposal = Omit<Filing, 'id' | 'person'>;

export interface Reviewed {
  readonly found: Review | Refusal;
  readonly freeze: Freeze | null;
  /** Equal for reviews that say the same. */
  readonly review: string;
}

/** Slack does not tell whether it is their own: then it is taken for that. */
const CANNOT_TELL_WHO = { refused: 'rights_unreadable', retryAfterSeconds: 5 } as const;

export interface OpenedAnswer {
  readonly purchase: Purchase;
  readonly answer: Answer;
}

/** What people may ask of the desk. Refusals are returned; only outages are thrown. */
export class Purchasing {
  readonly policy: Policy;
  readonly #ledger: Ledger;
  readonly #outbox: Outbox;
  readonly #vendor: Vendor;
  readonly #directory: Directory;
  readonly #newId: () => string;
  readonly #wake: () => void;

  constructor(deps: PurchasingDeps) {
    this.policy = deps.policy;
    this.#ledger = deps.ledger;
    this.#outbox = deps.outbox;
    this.#vendor = deps.vendor;
    this.#directory = deps.directory;
    this.#newId = deps.newId;
    this.#wake = deps.wake;
  }

  /** For opening views and answering reads: up to 60 s old. */
  async mayOpen(user: string, ...rights: [Right, ...Right[]]): Promise<Refusal | undefined> {
    const allowed = await checkRights(this.#directory, user, rights, 'cached');
    return isRefusal(allowed) ? allowed : undefined;
  }

  async balance(): Promise<BalanceReading> {
    const reading = await this.#vendor.readBalance();
    if (!reading.ok && reading.refused) await this.vendorRefuses(reading.refused, 'balance');
    return reading;
  }

  /** Requested, approved, sending or unknown; oldest first. */
  open(): Promise<readonly Purchase[]> {
    return this.#ledger.open();
  }

  /** What is open, and the ids of what this person may decide or settle of it; rights are asked again at the click. */
  async openTo(user: string): Promise<{ readonly open: readonly Purchase[]; readonly theirs: ReadonlySet<string> }> {
    const [open, allowed] = await Promise.all([
      this.#ledger.open(),
      checkRights(this.#directory, user, ['approve'], 'cached'),
    ]);
    if (isRefusal(allowed)) return { open, theirs: new Set() };
    const theirs = open.filter((purchase) => waitsFor(purchase, allowed)).map(({ id }) => id);
    return { open, theirs: new Set(theirs) };
  }

  /** What is completed, and the ids of what this person may enter an order id for; rights are asked again at the click. */
  async completedTo(
    user: string,
    limit: number,
  ): Promise<{ readonly completed: readonly Purchase[]; readonly theirs: ReadonlySet<string> }> {
    const [completed, allowed] = await Promise.all([
      this.#ledger.completed(limit),
      checkRights(this.#directory, user, RIGHTS, 'cached'),
    ]);
    if (isRefusal(allowed)) return { completed, theirs: new Set() };
    const theirs = completed.filter((purchase) => allowed.rights.has('approve') || isRequester(purchase, allowed));
    return { completed, theirs: new Set(theirs.map(({ id }) => id)) };
  }

  /** What the buy form shows of the person who opens it; no decision rests on it. */
  async buyerFacts(user: string): Promise<BuyerFacts> {
    const allowed = await checkRights(this.#directory, user, ['buy'], 'cached');
    return this.#ledger.buyerFacts(isRefusal(allowed) ? [user] : [...allowed.ids]);
  }

  /** A request of this person's own, to be asked for again: its content fills a form, and files nothing. */
  async askAgain(id: string, user: string): Promise<Purchase | Refusal> {
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const allowed = await checkRights(this.#directory, user, [record.purchase.kind], 'cached');
    if (isRefusal(allowed)) return allowed;
    return isRequester(record.purchase, allowed) ? record.purchase : { refused: 'not_requester' };
  }

  order(orderId: string): Promise<OrderFacts> {
    return this.#ledger.order(orderId);
  }

  record(id: string): Promise<PurchaseRecord | undefined> {
    return this.#ledger.record(id);
  }

  frozen(): Promise<Freeze | null> {
    return this.#ledger.freeze();
  }

  /** What filing this would need, as of now; files nothing. */
  async review(proposal: Proposal): Promise<Reviewed> {
    const allowed = await checkRights(this.#directory, proposal.requester, [proposal.content.kind], 'cached');
    if (isRefusal(allowed)) return { found: allowed, freeze: null, review: '' };
    const facts = await this.#ledger.filingFacts(subject(proposal, allowed.ids));
    const found = review(proposal.content, facts, this.policy);
    return { found, freeze: facts.freeze, review: reviewId(proposal, found) };
  }

  /** Files what a review showed. One purchase for one submission, however often it arrives. */
  async file(proposal: Proposal, promised: { readonly needsApproval: boolean }): Promise<Filed> {
    const allowed = await checkRights(this.#directory, proposal.requester, [proposal.content.kind], 'fresh');
    if (isRefusal(allowed)) return allowed;
    const filing: Filing = { ...proposal, id: this.#newId(), person: allowed.person };
    const filed = await this.#ledger.file(subject(proposal, allowed.ids), (facts) =>
      decideFiling(filing, promised, facts, this.policy),
    );
    this.#wake();
    return filed;
  }

  /** Whether somebody other than the requester can approve; undefined when that cannot be read. */
  async someoneElseApproves({ requester, requesterPerson }: Purchase): Promise<boolean | undefined> {
    const approvers = await this.#directory.approvers();
    return approvers?.some(({ ids }) => !isRequester({ requester, requesterPerson }, { ids }));
  }

  /**
   * A click that opens a modal: what it is about, read anew, if this person may go on with it there.
   * @param message whose button was pressed: the click counts only on a message of this purchase.
   */
  async openDecision(
    id: string,
    click: Click,
    message: ClickedMessage,
    action: 'approve' | 'reject' | 'settle',
  ): Promise<PurchaseRecord | Refusal> {
    const { user } = click;
    const allowed = await checkRights(this.#directory, user, ['approve'], 'cached');
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const no = isRefusal(allowed)
      ? allowed
      : await this.#refuseOpening(record.purchase, { user, ids: allowed.ids }, message, action);
    return no ? this.#change<PurchaseRecord>(id, click, () => refuse(action, { user }, no)) : record;
  }

  async approve(id: string, click: Click): Promise<Decided> {
    return this.#decide(
      id,
      click,
      'approve',
      ['approve'],
      (clicker) => (purchase, facts) => decideApproval(purchase, facts, clicker, this.policy),
    );
  }

  async reject(id: string, click: Click, reason: string): Promise<Decided> {
    return this.#decide(
      id,
      click,
      'reject',
      ['approve'],
      (clicker) => (purchase, facts) => decideRejection(purchase, facts, clicker, reason),
    );
  }

  async settle(id: string, click: Click, settlement: Settlement): Promise<Decided> {
    return this.#decide(
      id,
      click,
      'settle',
      ['approve'],
      (clicker) => (purchase, facts) => decideSettlement(purchase, facts, clicker, settlement),
      settlement.orderId ?? undefined,
    );
  }

  /** Whether it is a second message for the same, which nothing keeps up to date. */
  isCopy(id: string, message: ClickedMessage): Promise<boolean> {
    return isCopy(this.#outbox, id, message);
  }

  /** Needs only that it is the requester: rights are not asked for. */
  async withdraw(id: string, click: Click, message: ClickedMessage): Promise<Decided> {
    const { user } = click;
    const elsewhere = await this.#isElsewhere(id, message);
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const known = new Set([user]);
    const ids = isRequester(record.purchase, { ids: known }) ? known : await this.#idsOf(user, record.purchase);
    const no: Refusal | undefined = elsewhere ? { refused: 'wrong_card' } : ids ? undefined : CANNOT_TELL_WHO;
    return this.#change<Purchase>(
      id,
      click,
      (purchase) => (no ? refuse('withdraw', { user }, no) : decideWithdrawal(purchase, { user, ids: ids ?? known })),
      asItIs,
    );
  }

  /** A click that opens the modal in which an order id is typed. */
  async openOrderId(id: string, click: Click, message: ClickedMessage): Promise<PurchaseRecord | Refusal> {
    const allowed = await checkRights(this.#directory, click.user, ['buy', 'renew', 'approve'], 'cached');
    if (isRefusal(allowed)) return allowed;
    if (await this.#isElsewhere(id, message)) return this.#refuseElsewhere(id, click, 'enter order id');
    return (await this.#ledger.record(id)) ?? { refused: 'no_such_purchase' };
  }

  async enterOrderId(id: string, click: Click, orderId: string): Promise<Decided> {
    const record = await this.#ledger.record(id);
    const foundByVendor = record !== undefined && answerOf(record)?.orderIds.length === 1;
    return this.#decide(
      id,
      click,
      'enter order id',
      ['buy', 'renew', 'approve'],
      (clicker) => (purchase, facts) => decideOrderId(purchase, facts, clicker, orderId, foundByVendor),
      orderId,
    );
  }

  /** The vendor's raw answer, for the requester and approvers; that it was opened is written down first. */
  async openAnswer(id: string, click: Click, message: ClickedMessage): Promise<OpenedAnswer | Refusal> {
    const { user } = click;
    const allowed = await checkRights(this.#directory, user, RIGHTS, 'cached');
    if (isRefusal(allowed)) return allowed;
    if (await this.#isElsewhere(id, message)) return this.#refuseElsewhere(id, click, 'show the answer');
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const answer = answerOf(record);
    if (!answer) return { refused: 'no_answer_kept' };
    return this.#change<OpenedAnswer>(id, click, (purchase) => {
      if (!isRequester(purchase, allowed) && !allowed.rights.has('approve'))
        return refuse('show the answer', { user }, { refused: 'not_requester' });
      const entries = [{ by: user, from: null, to: null, detail: { kind: 'answer_opened' as const } }];
      return { result: { purchase, answer }, by: user, entries };
    });
  }

  async freeze({ user, id }: Click, reason: string): Promise<Freeze | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['approve'], 'fresh');
    const occasion = this.#newId();
    return this.#changeFreeze((facts) => decideFreeze(facts, user, allowed, reason, occasion), id);
  }

  /** @returns the freeze that ended. */
  async unfreeze({ user, id }: Click): Promise<Freeze | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['approve'], 'fresh');
    const occasion = this.#newId();
    return this.#changeFreeze((facts) => decideUnfreeze(facts, user, allowed, occasion), id);
  }

  /** A 401 freezes spending by itself; a 403 is told to those who approve, once a day for each call. */
  async vendorRefuses(refused: 'unauthorized' | 'forbidden', call: 'balance' | 'order'): Promise<void> {
    if (refused === 'unauthorized') {
      const occasion = this.#newId();
      const reason = 'the vendor does not accept the account token (401)';
      await this.#changeFreeze((facts) => freezeNow(facts, DESK, reason, occasion));
      return;
    }
    const day = new Date(await this.#ledger.now()).toISOString().slice(0, 10);
    const what = call === 'balance' ? 'read its balance' : 'place or renew orders';
    const text = `The vendor does not allow this account to ${what} (403). Whoever asked did nothing wrong.`;
    await this.#outbox.owe(alert(`forbidden:${call}:${day}`, text), null);
    this.#wake();
  }

  async #refuseOpening(
    purchase: Purchase,
    clicker: Clicker,
    message: ClickedMessage,
    action: 'approve' | 'reject' | 'settle',
  ): Promise<Refusal | undefined> {
    const awaited = action === 'settle' ? 'unknown' : 'requested';
    if (purchase.state !== awaited) return wrongState(purchase);
    if (isRequester(purchase, clicker)) return { refused: 'own_purchase' };
    const cardsAreDirect = this.policy.approvals.mode === 'off';
    return (await this.#isElsewhere(purchase.id, message, cardsAreDirect)) ? { refused: 'wrong_card' } : undefined;
  }

  #isElsewhere(id: string, message: ClickedMessage, cardsAreDirect = false): Promise<boolean> {
    return isElsewhere(this.#outbox, this.policy, id, message, cardsAreDirect);
  }

  #refuseElsewhere(id: string, click: Click, action: string): Promise<Refusal> {
    return this.#change<never>(id, click, () => refuse(action, click, { refused: 'wrong_card' }));
  }

  /** Every id of the human who clicks, as Slack knows them now, and as it knows the requester: they change in an organisation. */
  async #idsOf(user: string, { requester }: Purchase): Promise<ReadonlySet<string> | undefined> {
    const [own, theirs] = await Promise.all(
      [user, requester].map((one) => this.#directory.idsOf(one, FRESH_RIGHTS_WITHIN_MS)),
    );
    return own && theirs && sameHuman(own, theirs);
  }

  async #changeFreeze(decide: FreezeRule<Freeze | Refusal>, click?: string): Promise<Freeze | Refusal> {
    const result = await this.#ledger.changeFreeze(decide, click);
    this.#wake();
    return result;
  }

  /** Rights are asked of Slack afresh at every click that changes something; then the ledger decides. */
  async #decide(
    id: string,
    click: Click,
    action: string,
    rights: [Right, ...Right[]],
    ruleFor: (clicker: Clicker & { mayApprove: boolean }) => ChangeRule<Decided>,
    orderIdCandidate?: string,
  ): Promise<Decided> {
    const { user } = click;
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const [allowed, requesterIds] = await Promise.all([
      checkRights(this.#directory, user, rights, 'fresh'),
      this.#directory.idsOf(record.purchase.requester, FRESH_RIGHTS_WITHIN_MS),
    ]);
    const refusal = isRefusal(allowed) ? allowed : CANNOT_TELL_WHO;
    const decide =
      isRefusal(allowed) || !requesterIds
        ? () => refuse(action, { user }, refusal)
        : ruleFor({ user, ids: sameHuman(allowed.ids, requesterIds), mayApprove: allowed.rights.has('approve') });
    return this.#change(id, click, decide, asItIs, orderIdCandidate);
  }

  /** @param again what a later delivery of the click is told where the first was done. */
  async #change<R extends object>(
    id: string,
    click: Click,
    decide: ChangeRule<R | Refusal>,
    again: (purchase: Purchase, now: R | Refusal) => R | Refusal = (_, now) => now,
    orderId?: string,
  ): Promise<R | Refusal> {
    const result = await this.#ledger.change(id, countOnce(decide, again), { orderId, click: click.id });
    this.#wake();
    return result ?? { refused: 'no_such_purchase' };
  }
}

/** Of two humans the first one's ids; of one human, all. */
function sameHuman(own: ReadonlySet<string>, theirs: ReadonlySet<string>): ReadonlySet<string> {
  return own.isDisjointFrom(theirs) ? own : own.union(theirs);
}

/** The purchase as it stands: for a decision that was made by an earlier delivery. */
const asItIs = (purchase: Purchase): Purchase => purchase;

/** The answer that the attempt got, late or not. */
export function answerOf(record: PurchaseRecord): Answer | undefined {
  return record.entries.flatMap(({ detail }) => (detail.kind === 'answer' ? [detail.answer] : [])).at(-1);
}

function subject({ submission, content }: Proposal, requesterIds: ReadonlySet<string>): FilingSubject {
  const orderId = content.kind === 'renew' ? content.orderId : null;
  return { submission, contentKey: contentKey(content), requesterIds: [...requesterIds], orderId };
}
