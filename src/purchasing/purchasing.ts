import { asItIs, Deciding } from './deciding.ts';
import type { Asker } from './model/account.ts';
import type { BalanceReading } from './model/answer.ts';
import type { Request } from './model/batch.ts';
import type { ChangeFacts } from './model/change.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import { amountOf } from './model/cost.ts';
import { answerOf, THE_BOT } from './model/entries.ts';
import type { BuyerFacts, FilingDecided } from './model/filing.ts';
import type { Freeze, FreezeRule } from './model/freeze.ts';
import type { OrderId } from './model/order-id.ts';
import type { Policy, Right } from './model/policy.ts';
import type { Purchase } from './model/purchase.ts';
import { inCents } from './model/quotient.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { TwoPeople } from './model/surroundings.ts';
import type { Directory } from './ports/directory.ts';
import type { Ledger, PurchaseRecord } from './ports/ledger.ts';
import type { Outbox } from './ports/outbox.ts';
import type { Vendor } from './ports/vendor.ts';
import { requestsOf, waitingFor } from './requests.ts';
import { isCopy } from './rules/clicks.ts';
import {
  type Decided,
  decideApproval,
  decideOrderId,
  decideRejection,
  decideSettlement,
  decideTakingBack,
  decideWithdrawal,
  isOnASide,
  refuse,
  type Settlement,
} from './rules/decisions.ts';
import { countsDollars, dollarsBy, spentOf } from './rules/dollars.ts';
import {
  countedOn,
  decideFiling,
  type Filed,
  fileOnce,
  type Promised,
  type Proposal,
  type Review,
  review,
  reviewId,
  subjectOf,
  twoPeopleFor,
} from './rules/filing.ts';
import {
  type AccountRefusal,
  decideFreeze,
  decideUnfreeze,
  forbiddenCall,
  freezeNow,
  TOKEN_REFUSED,
} from './rules/freezing.ts';
import { decideShowing, type Opening, refuseAskingAgain, refuseOpening, type ShownAnswer } from './rules/openings.ts';
import { type Clicker, checkRights, whoAsks } from './rules/rights.ts';

export interface PurchasingDeps {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly vendor: Vendor;
  readonly directory: Directory;
  /** The policy that was read last: asked for at every use, so that a new one holds at once. */
  readonly policy: () => Policy;
  readonly newId: () => string;
  /** There is something new to send, read, sweep or tell. */
  readonly wake: () => void;
}

export interface ProposalReview {
  readonly found: Review | Refusal;
  readonly freeze: Freeze | null;
  /** Equal for reviews that say the same. */
  readonly review: string;
}

/** Yeses that are said and taken back at the same moment as another: whoever loses so often presses again. */
const LOOKS_AT_MOST = 3;

/**
 * What people may ask for. Each use case asks Slack what has to be known, and leaves the decision to a rule that the ledger runs.
 * Refusals are returned; only outages are thrown.
 */
export class Purchasing {
  readonly #policy: () => Policy;
  readonly #ledger: Ledger;
  readonly #outbox: Outbox;
  readonly #vendor: Vendor;
  readonly #directory: Directory;
  readonly #deciding: Deciding;
  readonly #newId: () => string;
  readonly #wake: () => void;

  constructor(deps: PurchasingDeps) {
    this.#policy = deps.policy;
    this.#ledger = deps.ledger;
    this.#outbox = deps.outbox;
    this.#vendor = deps.vendor;
    this.#directory = deps.directory;
    this.#deciding = new Deciding(deps);
    this.#newId = deps.newId;
    this.#wake = deps.wake;
  }

  /** As it stands now: two looks may find two. */
  get policy(): Policy {
    return this.#policy();
  }

  /** For opening views and answering reads: up to 60 s old. */
  async mayOpen(user: string, ...rights: [Right, ...Right[]]): Promise<Refusal | undefined> {
    const allowed = await checkRights(this.#directory, user, rights, 'cached');
    return isRefusal(allowed) ? allowed : undefined;
  }

  /** The account's balance, with what a refusal of the account brings about. */
  async balance(asker: Asker): Promise<BalanceReading> {
    const reading = await this.#vendor.readBalance(asker);
    if (!reading.ok && reading.refused) await this.vendorRefuses(reading.refused, 'balance');
    return reading;
  }

  /** What is open, and the ids of what this person may decide or settle of it; rights are asked again at the click. */
  async openTo(user: string): Promise<{ readonly open: readonly Request[]; readonly theirs: ReadonlySet<string> }> {
    const [open, allowed] = await Promise.all([
      this.#ledger.open(),
      checkRights(this.#directory, user, ['approve'], 'cached'),
    ]);
    const theirs = (await waitingFor(this.#ledger, open, allowed)).map(({ id }) => id);
    return { open: await requestsOf(this.#ledger, open), theirs: new Set(theirs) };
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
    const { purchase } = record;
    const allowed = await checkRights(this.#directory, user, [purchase.kind], 'cached');
    return refuseAskingAgain(purchase, allowed) ?? purchase;
  }

  /** What filing this would need, as of now; files nothing. */
  async review(proposal: Proposal): Promise<ProposalReview> {
    const allowed = await checkRights(this.#directory, proposal.requester, [proposal.content.kind], 'cached');
    if (isRefusal(allowed)) return { found: allowed, freeze: null, review: '' };
    const { policy } = this;
    const facts = await this.#ledger.filingFacts(subjectOf(proposal, allowed.ids, policy));
    const found = review(proposal.content, facts, policy, proposal.kept !== undefined);
    return { found, freeze: facts.freeze, review: reviewId(proposal, found) };
  }

  /**
   * Files what a review showed. One purchase for one submission, however often it arrives.
   * @param promised as in {@link decideFiling}
   * @param click the submit; none where it is filed by itself
   */
  async file(proposal: Proposal, promised: Promised | Refusal, click?: Click): Promise<Filed> {
    const { requester, content } = proposal;
    const allowed = await checkRights(this.#directory, requester, [content.kind], 'fresh');
    const { ids, person } = whoAsks(requester, allowed);
    const filing = { ...proposal, id: this.#newId(), person };
    const { policy } = this;
    const filed = await this.#ledger.file(subjectOf(proposal, ids, policy, click), (facts) =>
      fileOnce<FilingDecided<Filed>>(
        facts,
        decideFiling(filing, isRefusal(allowed) ? allowed : promised, facts, policy),
      ),
    );
    this.#wake();
    return filed;
  }

  /**
   * How many people other than the requester can approve; undefined when that cannot be read.
   * @param keptBy as {@link ChangeFacts.keptBy}
   */
  async othersWhoApprove(
    purchase: Pick<Purchase, 'requester' | 'requesterPerson'>,
    keptBy: string | null,
  ): Promise<number | undefined> {
    const approvers = await this.#directory.approvers();
    return approvers?.filter((approver) => !isOnASide(purchase, keptBy, approver)).length;
  }

  /** Whether two people have to approve it, as of now; null where one yes is enough. */
  async twoPeople(purchase: Purchase): Promise<TwoPeople | null> {
    const { policy } = this;
    if (!mayNeedTwo(policy)) return null;
    const { others, cost } = await this.#ledger.others(purchase, countsDollars(policy));
    const own = { plan: purchase.plan, quantity: purchase.quantity, cost: amountOf(cost) };
    const why = twoPeopleFor(own, others, policy);
    if (why === null) return null;
    if (why === 'ips') return { besides: countedOn(purchase.plan, others), dollars: null };
    const all = spentOf([...others, own].map((one) => one.cost));
    return { besides: 0, dollars: { others: others.length, total: inCents(all.amount), unpriced: all.unpriced } };
  }

  /**
   * A click on a message that opens what is decided next: the purchase read anew, if this person may go on with it there.
   * @param message whose button was pressed: the click counts only on a message of this purchase.
   */
  async open(id: string, click: Click, message: ClickedMessage, action: Opening): Promise<PurchaseRecord | Refusal> {
    const by = await this.#deciding.ask(click, action, 'cached');
    const [record, clicked] = await Promise.all([this.#ledger.record(id), this.#deciding.clicked(id, message)]);
    if (!record) return { refused: 'no_such_purchase' };
    const no = refuseOpening(action, record, by, clicked, this.policy);
    return no ? this.#deciding.change<PurchaseRecord>(id, click, () => refuse(action, click, no)) : record;
  }

  /** The vendor's raw answer, for the requester and approvers; that it was opened is written down first. */
  async openAnswer(id: string, click: Click, message: ClickedMessage): Promise<ShownAnswer | Refusal> {
    const by = await this.#deciding.ask(click, 'show the answer', 'cached');
    const [record, clicked] = await Promise.all([this.#ledger.record(id), this.#deciding.clicked(id, message)]);
    const answer = record && answerOf(record);
    return this.#deciding.change<ShownAnswer>(id, click, (now) => decideShowing(now, by, clicked, this.policy, answer));
  }

  /** Whether it is a second message for the same, which nothing keeps up to date. */
  async isCopy(id: string, message: ClickedMessage): Promise<boolean> {
    return isCopy(await this.#deciding.clicked(id, message));
  }

  /** The second of two yeses says it beside the first: whoever says one meanwhile makes it be looked at anew. */
  async approve(id: string, click: Click): Promise<Decided> {
    for (let looks = 1; ; looks += 1) {
      const user = await this.#firstApprover(id);
      const { policy } = this;
      const rule = (by: Clicker, ids?: ReadonlySet<string>) => (now: Purchase, facts: ChangeFacts) =>
        decideApproval(now, facts, by, policy, user === null ? null : { user, ids });
      const subject = { beside: user, dollars: dollarsBy(policy) };
      const decided = await this.#deciding.decide(id, click, 'approve', rule, subject);
      if (!isRefusal(decided) || decided.refused !== 'first_yes_changed' || looks === LOOKS_AT_MOST) return decided;
    }
  }

  /** Needs only that it is their own yes: rights are not asked for. */
  async takeBack(id: string, click: Click, message: ClickedMessage): Promise<Decided> {
    const user = await this.#ledger.firstApprover(id);
    const [clicked, by] = await Promise.all([
      this.#deciding.clicked(id, message),
      this.#deciding.askWho(click, user ?? click.user),
    ]);
    return this.#deciding.change<Purchase>(id, click, (now) => decideTakingBack(now, by, clicked, this.policy), asItIs);
  }

  reject(id: string, click: Click, reason: string): Promise<Decided> {
    return this.#deciding.decide(id, click, 'reject', (by) => (now, facts) => decideRejection(now, facts, by, reason));
  }

  settle(id: string, click: Click, settlement: Settlement): Promise<Decided> {
    const { orderId } = settlement;
    const rule = (by: Clicker) => (now: Purchase, facts: ChangeFacts) => decideSettlement(now, facts, by, settlement);
    return this.#deciding.decide(id, click, 'settle', rule, { orderId: orderId ?? undefined });
  }

  async enterOrderId(id: string, click: Click, orderId: OrderId): Promise<Decided> {
    const record = await this.#ledger.record(id);
    const foundByVendor = record !== undefined && answerOf(record)?.orderIds.length === 1;
    const rule = (by: Clicker) => (now: Purchase, facts: ChangeFacts) =>
      decideOrderId(now, facts, by, orderId, foundByVendor);
    return this.#deciding.decide(id, click, 'enter order id', rule, { orderId });
  }

  /** Needs only that it is the requester: rights are not asked for. */
  async withdraw(id: string, click: Click, message: ClickedMessage): Promise<Decided> {
    const sides = await this.#ledger.sides(id);
    if (sides === undefined) return { refused: 'no_such_purchase' };
    const clicked = await this.#deciding.clicked(id, message);
    const by = await this.#deciding.askWho(click, sides.requester);
    return this.#deciding.change<Purchase>(id, click, (now) => decideWithdrawal(now, by, clicked, this.policy), asItIs);
  }

  async freeze(click: Click, reason: string): Promise<Freeze | Refusal> {
    const by = await this.#deciding.ask(click, 'freeze', 'fresh');
    const occasion = this.#newId();
    return this.#changeFreeze((facts) => decideFreeze(facts, by, reason, occasion), click.id);
  }

  /** @returns the freeze that ended. */
  async unfreeze(click: Click): Promise<Freeze | Refusal> {
    const by = await this.#deciding.ask(click, 'freeze', 'fresh');
    const occasion = this.#newId();
    return this.#changeFreeze((facts) => decideUnfreeze(facts, by, occasion), click.id);
  }

  /** A 401 freezes spending by itself; a 403 is told to those who approve. */
  async vendorRefuses(refused: AccountRefusal, call: 'balance' | 'order'): Promise<void> {
    if (refused === 'unauthorized') {
      const occasion = this.#newId();
      await this.#changeFreeze((facts) => freezeNow(facts, THE_BOT, TOKEN_REFUSED, occasion));
      return;
    }
    await this.#outbox.owe(forbiddenCall(call, await this.#ledger.now()), null);
    this.#wake();
  }

  async #changeFreeze(decide: FreezeRule<Freeze | Refusal>, click?: string): Promise<Freeze | Refusal> {
    const result = await this.#ledger.changeFreeze(decide, click);
    this.#wake();
    return result;
  }

  /** Not looked up where one person is always enough. */
  async #firstApprover(id: string): Promise<string | null> {
    return mayNeedTwo(this.policy) ? this.#ledger.firstApprover(id) : null;
  }
}

function mayNeedTwo({ approvals }: Policy): boolean {
  return (
    approvals.mode === 'channel' && (approvals.twoPeopleAbove !== null || approvals.twoPeopleAboveDollars !== null)
  );
}
