import { isCopy, isElsewhere } from './clicked.ts';
import type { Answer } from './model/answer.ts';
import type { BalanceReading } from './model/balance-reading.ts';
import type { ChangeRule } from './model/change.ts';
import type { ClickedMessage } from './model/clicked-message.ts';
import { DESK } from './model/entries.ts';
import type { FilingSubject } from './model/filing.ts';
import type { Freeze } from './model/freeze.ts';
import type { OrderFacts } from './model/order.ts';
import { alert, freezeNotice } from './model/outbox.ts';
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
import { checkRights } from './rules/rights.ts';

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
    const approver = { user, person: allowed.person };
    const theirs = open.filter((purchase) => waitsFor(purchase, approver)).map(({ id }) => id);
    return { open, theirs: new Set(theirs) };
  }

  completed(limit: number): Promise<readonly Purchase[]> {
    return this.#ledger.completed(limit);
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
    const facts = await this.#ledger.filingFacts(subject(proposal, allowed.person));
    const found = review(proposal.content, facts, this.policy);
    return { found, freeze: facts.freeze, review: reviewId(proposal, found) };
  }

  /** Files what a review showed. One purchase for one submission, however often it arrives. */
  async file(proposal: Proposal, promised: { readonly needsApproval: boolean }): Promise<Filed> {
    const allowed = await checkRights(this.#directory, proposal.requester, [proposal.content.kind], 'fresh');
    if (isRefusal(allowed)) return allowed;
    const filing: Filing = { ...proposal, id: this.#newId(), person: allowed.person };
    const filed = await this.#ledger.file(subject(proposal, allowed.person), (facts) =>
      decideFiling(filing, promised, facts, this.policy),
    );
    this.#wake();
    return filed;
  }

  /** Whether somebody other than the requester can approve; undefined when that cannot be read. */
  async someoneElseApproves({ requester, requesterPerson }: Purchase): Promise<boolean | undefined> {
    const approvers = await this.#directory.approvers();
    return approvers?.some((user) => user !== requester && user !== requesterPerson);
  }

  /**
   * A click that opens a modal: what it is about, read anew, if this person may go on with it there.
   * @param message whose button was pressed: the click counts only on a message of this purchase.
   */
  async openDecision(
    id: string,
    user: string,
    message: ClickedMessage,
    action: 'approve' | 'reject' | 'settle',
  ): Promise<PurchaseRecord | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['approve'], 'cached');
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const no = isRefusal(allowed)
      ? allowed
      : await this.#refuseOpening(record.purchase, { user, person: allowed.person }, message, action);
    return no ? this.#change(id, () => refuse(action, { user }, no)) : record;
  }

  async approve(id: string, user: string): Promise<Decided> {
    return this.#decide(
      id,
      user,
      'approve',
      ['approve'],
      (clicker) => (purchase, facts) => decideApproval(purchase, facts, clicker, this.policy),
    );
  }

  async reject(id: string, user: string, reason: string): Promise<Decided> {
    return this.#decide(
      id,
      user,
      'reject',
      ['approve'],
      (clicker) => (purchase, facts) => decideRejection(purchase, facts, clicker, reason),
    );
  }

  async settle(id: string, user: string, settlement: Settlement): Promise<Decided> {
    return this.#decide(
      id,
      user,
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
  async withdraw(id: string, user: string, message: ClickedMessage): Promise<Decided> {
    if (await this.#isElsewhere(id, message)) return this.#refuseElsewhere(id, user, 'withdraw');
    return this.#change(id, (purchase) => decideWithdrawal(purchase, { user, person: user }));
  }

  /** A click that opens the modal in which an order id is typed. */
  async openOrderId(id: string, user: string, message: ClickedMessage): Promise<PurchaseRecord | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['buy', 'renew', 'approve'], 'cached');
    if (isRefusal(allowed)) return allowed;
    if (await this.#isElsewhere(id, message)) return this.#refuseElsewhere(id, user, 'enter order id');
    return (await this.#ledger.record(id)) ?? { refused: 'no_such_purchase' };
  }

  async enterOrderId(id: string, user: string, orderId: string): Promise<Decided> {
    const record = await this.#ledger.record(id);
    const foundByVendor = record !== undefined && answerOf(record)?.orderIds.length === 1;
    return this.#decide(
      id,
      user,
      'enter order id',
      ['buy', 'renew', 'approve'],
      (clicker) => (purchase, facts) => decideOrderId(purchase, facts, clicker, orderId, foundByVendor),
      orderId,
    );
  }

  /** The vendor's raw answer, for the requester and approvers; that it was opened is written down first. */
  async openAnswer(
    id: string,
    user: string,
    message: ClickedMessage,
  ): Promise<{ readonly purchase: Purchase; readonly answer: Answer } | Refusal> {
    const allowed = await checkRights(this.#directory, user, RIGHTS, 'cached');
    if (isRefusal(allowed)) return allowed;
    if (await this.#isElsewhere(id, message)) return this.#refuseElsewhere(id, user, 'show the answer');
    const record = await this.#ledger.record(id);
    if (!record) return { refused: 'no_such_purchase' };
    const answer = answerOf(record);
    if (!answer) return { refused: 'no_answer_kept' };
    return this.#change(id, (purchase) => {
      if (!isRequester(purchase, { user, person: allowed.person }) && !allowed.rights.has('approve'))
        return refuse('show the answer', { user }, { refused: 'not_requester' });
      const entries = [{ by: user, from: null, to: null, detail: { kind: 'answer_opened' as const } }];
      return { result: { purchase, answer }, by: user, entries };
    });
  }

  async freeze(user: string, reason: string): Promise<Freeze | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['approve'], 'fresh');
    if (isRefusal(allowed)) return allowed;
    return this.#freeze(user, reason);
  }

  async unfreeze(user: string): Promise<Freeze | Refusal> {
    const allowed = await checkRights(this.#directory, user, ['approve'], 'fresh');
    if (isRefusal(allowed)) return allowed;
    const was = await this.#ledger.setFreeze(null, user, freezeNotice(this.#newId(), null, user));
    this.#wake();
    return was ?? { refused: 'not_frozen' };
  }

  /** A 401 freezes spending by itself; a 403 is told to those who approve, once a day for each call. */
  async vendorRefuses(refused: 'unauthorized' | 'forbidden', call: 'balance' | 'order'): Promise<void> {
    if (refused === 'unauthorized') {
      await this.#freeze(DESK, 'the vendor does not accept the account token (401)');
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

  #refuseElsewhere(id: string, user: string, action: string): Promise<Refusal> {
    return this.#change<never>(id, () => refuse(action, { user }, { refused: 'wrong_card' }));
  }

  async #freeze(by: string, reason: string): Promise<Freeze | Refusal> {
    const was = await this.#ledger.setFreeze(reason, by, freezeNotice(this.#newId(), reason, by));
    // The same command, delivered again.
    if (was?.by === by && was.reason === reason) return was;
    if (was) return { refused: 'already_frozen', by: was.by, reason: was.reason };
    this.#wake();
    return { by, reason, at: await this.#ledger.now() };
  }

  /** Rights are asked of Slack afresh at every click that changes something; then the ledger decides. */
  async #decide(
    id: string,
    user: string,
    action: string,
    rights: [Right, ...Right[]],
    ruleFor: (clicker: Clicker & { mayApprove: boolean }) => ChangeRule<Decided>,
    orderIdCandidate?: string,
  ): Promise<Decided> {
    const allowed = await checkRights(this.#directory, user, rights, 'fresh');
    if (isRefusal(allowed)) return this.#change(id, () => refuse(action, { user }, allowed));
    const clicker = { user, person: allowed.person, mayApprove: allowed.rights.has('approve') };
    return this.#change(id, ruleFor(clicker), orderIdCandidate);
  }

  async #change<R extends object>(
    id: string,
    decide: ChangeRule<R | Refusal>,
    orderIdCandidate?: string,
  ): Promise<R | Refusal> {
    const result = await this.#ledger.change(id, decide, orderIdCandidate);
    this.#wake();
    return result ?? { refused: 'no_such_purchase' };
  }
}

/** The answer that the attempt got, late or not. */
export function answerOf(record: PurchaseRecord): Answer | undefined {
  return record.entries.flatMap(({ detail }) => (detail.kind === 'answer' ? [detail.answer] : [])).at(-1);
}

function subject({ submission, content }: Proposal, person: string): FilingSubject {
  const orderId = content.kind === 'renew' ? content.orderId : null;
  return { submission, contentKey: contentKey(content), requesterPerson: person, orderId };
}
