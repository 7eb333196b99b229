import { Deciding } from './deciding.ts';
import type { BatchRecord } from './model/batch.ts';
import type { BatchFiling, BatchRule } from './model/batch-change.ts';
import type { ChangeSubject } from './model/change.ts';
import type { Click, ClickedMessage } from './model/click.ts';
import type { Freeze } from './model/freeze.ts';
import type { Purchase } from './model/purchase.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { PurchasingDeps } from './purchasing.ts';
import {
  type BatchDecided,
  type BatchDecision,
  type BatchFiled,
  type BatchPromised,
  type BatchProposal,
  type BatchReview,
  batchSubjectOf,
  cameToNothing,
  decideBatch,
  decideBatchFiling,
  decideBatchTakingBack,
  decideBatchWithdrawal,
  refuseBatch,
  reviewBatch,
} from './rules/batches.ts';
import { countBatchOnce } from './rules/clicks.ts';
import { dollarsBy } from './rules/dollars.ts';
import { fileOnce } from './rules/filing.ts';
import { refuseAskingAgain, refuseBatchOpening } from './rules/openings.ts';
import { checkRights, whoAsks } from './rules/rights.ts';

export interface BatchesDeps extends Omit<PurchasingDeps, 'vendor'> {
  readonly newBatchId: () => string;
}

export interface BatchProposalReview {
  readonly found: BatchReview | Refusal;
  readonly freeze: Freeze | null;
}

/** What people may ask for of several renewals together. As in {@link Purchasing}, a rule that the ledger runs decides. */
export class Batches {
  readonly #deps: BatchesDeps;
  readonly #deciding: Deciding;

  constructor(deps: BatchesDeps) {
    this.#deps = deps;
    this.#deciding = new Deciding(deps);
  }

  /** What filing all of it would need, as of now; files nothing. */
  async review(proposal: BatchProposal): Promise<BatchProposalReview> {
    const { directory, ledger, policy } = this.#deps;
    const allowed = await checkRights(directory, proposal.requester, ['renew'], 'cached');
    if (isRefusal(allowed)) return { found: allowed, freeze: null };
    const now = policy();
    const facts = await ledger.batchFilingFacts(batchSubjectOf(proposal, allowed.ids, now));
    return { found: reviewBatch(proposal, facts, now), freeze: facts.freeze };
  }

  /**
   * Files what a review showed, all of it or nothing. One batch for one submission, however often it arrives.
   * @param promised as in {@link decideBatchFiling}
   * @param click the submit
   */
  async file(proposal: BatchProposal, promised: BatchPromised | Refusal, click: Click): Promise<BatchFiled> {
    const { directory, ledger, policy, newId, newBatchId, wake } = this.#deps;
    const allowed = await checkRights(directory, proposal.requester, ['renew'], 'fresh');
    const { ids, person } = whoAsks(proposal.requester, allowed);
    const filing = { ...proposal, id: newBatchId(), ids: proposal.contents.map(newId), person };
    const now = policy();
    const filed = await ledger.fileBatch(batchSubjectOf(proposal, ids, now, click), (facts) =>
      fileOnce<BatchFiling<BatchFiled>>(
        facts,
        decideBatchFiling(filing, isRefusal(allowed) ? allowed : promised, facts, now),
      ),
    );
    wake();
    return filed;
  }

  /** A click on the batch's card that opens what is decided next: the batch read anew, if this person may go on with it there. */
  async open(
    id: string,
    click: Click,
    message: ClickedMessage,
    action: 'approve' | 'reject' | 'ask',
  ): Promise<BatchRecord | Refusal> {
    const { ledger, policy } = this.#deps;
    const [by, batch, clicked] = await Promise.all([
      this.#deciding.ask(click, action, 'cached'),
      ledger.batch(id),
      this.#deciding.clicked(id, message),
    ]);
    if (!batch) return NONE;
    const no = refuseBatchOpening(batch, by, clicked, policy(), action);
    if (!no) return batch;
    const refused = await this.#change(id, click, (rows) => refuseBatch(rows, action, by, no));
    return isRefusal(refused) ? refused : no;
  }

  /** Where two people are needed, the second says yes beside the first: whoever says one meanwhile makes it be looked at anew. */
  async decide(id: string, click: Click, decision: BatchDecision): Promise<BatchDecided> {
    const { ledger, policy } = this.#deps;
    for (let looks = 1; ; looks += 1) {
      const batch = await ledger.batch(id);
      if (!batch) return NONE;
      const said = new Set(batch.rows.flatMap(({ firstApprover }) => firstApprover ?? []));
      const action = decision.approve.size > 0 ? 'approve' : 'reject';
      const sides = { requester: batch.requester, keptBy: null };
      const { by, requesterIds, firsts } = await this.#deciding.decider(click, action, sides, [...said]);
      const now = policy();
      const rule: BatchRule<BatchDecided> = (rows) => decideBatch(rows, by, decision, now, firsts);
      const decided = await this.#change(id, click, rule, { requesterIds, dollars: dollarsBy(now) });
      if (!isRefusal(decided) || decided.refused !== 'first_yes_changed' || looks === LOOKS_AT_MOST) return decided;
    }
  }

  /** Needs only that it is the requester: rights are not asked for. */
  async withdraw(id: string, click: Click, message: ClickedMessage): Promise<BatchDecided> {
    const { ledger, policy } = this.#deps;
    const batch = await ledger.batch(id);
    if (!batch) return NONE;
    const [by, clicked] = await Promise.all([
      this.#deciding.askWho(click, batch.requester),
      this.#deciding.clicked(id, message),
    ]);
    return this.#change(id, click, (rows) => decideBatchWithdrawal(rows, by, clicked, policy()));
  }

  /** The first of two yeses. Needs only that it is their own: rights are not asked for. */
  async takeBack(id: string, click: Click, message: ClickedMessage): Promise<BatchDecided> {
    const { ledger, policy } = this.#deps;
    const batch = await ledger.batch(id);
    if (!batch) return NONE;
    const first = batch.rows.find(({ state, firstApprover }) => state === 'requested' && firstApprover !== null);
    const [by, clicked] = await Promise.all([
      this.#deciding.askWho(click, first?.firstApprover ?? click.user),
      this.#deciding.clicked(id, message),
    ]);
    return this.#change(id, click, (rows) => decideBatchTakingBack(rows, by, clicked, policy()));
  }

  /** What of a batch of this person's own came to nothing, to be asked for again: it fills a form, and files nothing. */
  async askAgain(id: string, user: string): Promise<readonly Purchase[] | Refusal> {
    const { directory, ledger } = this.#deps;
    const batch = await ledger.batch(id);
    const [first] = batch?.rows ?? [];
    if (!batch || !first) return NONE;
    const allowed = await checkRights(directory, user, ['renew'], 'cached');
    return refuseAskingAgain(first, allowed) ?? cameToNothing(batch.rows);
  }

  async #change(
    id: string,
    click: Click,
    decide: BatchRule<BatchDecided>,
    subject: Pick<ChangeSubject, 'requesterIds' | 'dollars'> = {},
  ): Promise<BatchDecided> {
    const { ledger, wake } = this.#deps;
    const asItIs = (rows: readonly Purchase[]) => ({ rows });
    const result = await ledger.changeBatch(id, countBatchOnce(decide, asItIs), {
      ...subject,
      click: click.id,
    });
    wake();
    return result ?? NONE;
  }
}

/** Yeses that are said and taken back at the same moment as another: whoever loses so often presses again. */
const LOOKS_AT_MOST = 3;

const NONE = { refused: 'no_such_purchase' } as const;
