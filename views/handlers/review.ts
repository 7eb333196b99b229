import type { types } from '@slack/bolt';
import type { BalanceReading } from '../../src/purchasing/model/answer.ts';
import { shownAmount } from '../../src/purchasing/model/cost.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import { isAboutRights, isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import type { Proposal, Review } from '../../src/purchasing/rules/filing.ts';
import type { HandlerContext, SubmitArgs } from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { filedView, type ReviewSurroundings } from '../review.ts';
import { type Decoded, type Errors, type FormDraft, type LastReview, planShown, type Values } from '../state.ts';
import { updateView } from './open.ts';
import { clickOf, refusalFor, userOf } from './reply.ts';

/** What differs between the form and review of a purchase and those of a renewal. */
export interface PurchaseForm<D extends FormDraft<C>, C extends Content> {
  readonly withTyped: (draft: D, values: Values) => D;
  readonly decode: (draft: D, policy: Policy) => Decoded<C>;
  /** The ticks of the review. */
  readonly withTicks: (draft: D, values: Values) => D;
  readonly neverSeenAccepted: (draft: D) => boolean;
  /** The form as it is now, with what is wrong at its top. */
  readonly redraw: (context: HandlerContext, draft: Draft<D>, problems: readonly string[]) => Promise<types.ModalView>;
  /** @param metadata of the view: the draft's id and the review's */
  readonly draw: (
    metadata: string,
    content: C,
    found: Review | Refusal,
    surroundings: ReviewSurroundings,
  ) => types.ModalView;
}

/** Between the draft's id and the review's, in the review's metadata. */
export const REVIEW_OF = '/';

export const GONE = 'What stood in this form is gone: a form is kept for a day. Nothing was filed: please start again.';

/** The form is submitted: its errors, or the review of exactly what would be sent. Files nothing. */
export async function submitForm<D extends FormDraft<C>, C extends Content>(
  context: HandlerContext,
  args: SubmitArgs,
  form: PurchaseForm<D, C>,
): Promise<void> {
  const { view } = args;
  const draft = await context.drafts.update<D>(view.private_metadata, userOf(args), (old) =>
    form.withTyped(old, view.state.values),
  );
  if (!draft) return args.ack({ response_action: 'update', view: sentenceView(view.title.text, GONE) });
  const decoded = form.decode(draft.content, context.purchasing.policy);
  if (!decoded.ok) return answerErrors(context, args, draft, decoded.errors, form);
  const { reason, balance } = draft.content;
  const review = await reviewOf(context, draft, { content: decoded.content, reason }, form);
  await pushReview(context, args, review, balance);
}

/**
 * Errors stand at their fields. Slack takes none for a field that the submitted view lacks, nor can a plan that is gone be
 * chosen anew in a view drawn from an older policy: then the form is drawn again, with the errors at its top.
 */
async function answerErrors<D extends FormDraft<C>, C extends Content>(
  context: HandlerContext,
  args: SubmitArgs,
  draft: Draft<D>,
  errors: Errors,
  form: PurchaseForm<D, C>,
): Promise<void> {
  const { plans } = context.purchasing.policy;
  const { plan } = draft.content;
  const isStale = plan !== '' && !plans.some(({ productId }) => productId === plan);
  const fields = args.view.blocks.map(({ block_id }) => block_id);
  if (!isStale && Object.keys(errors).every((block) => fields.includes(block)))
    return args.ack({ response_action: 'errors', errors });
  const redrawn = await context.drafts.update<D>(draft.id, draft.user, (old) => ({
    ...old,
    plan: planShown(old.plan, plans),
  }));
  const view = await form.redraw(context, redrawn ?? draft, [...new Set(Object.values(errors))]);
  await args.ack({ response_action: 'update', view });
}

/** The review is submitted: filed once, however often it arrives, or a new review that says what has changed. */
export async function submitReview<D extends FormDraft<C>, C extends Content>(
  context: HandlerContext,
  args: SubmitArgs,
  form: PurchaseForm<D, C>,
): Promise<void> {
  const { view } = args;
  const say = (sentence: string) =>
    // The form lies beneath, with everything that was typed.
    args.ack({ response_action: 'update', view: sentenceView(view.title.text, sentence, 'Back') });
  const [draftId = '', reviewId] = view.private_metadata.split(REVIEW_OF);
  const draft = await context.drafts.update<D>(draftId, userOf(args), (old) => form.withTicks(old, view.state.values));
  if (!draft?.content.lastReview) return say(GONE);
  const { lastReview, balance } = draft.content;
  const { needsApproval, cost, lastTwin } = lastReview;
  const promised =
    needsApproval !== null && lastReview.id === reviewId
      ? { needsApproval, cost, lastTwin }
      : ({ refused: 'review_outdated' } as const);
  const filed = await context.purchasing.file(proposalOf(draft, lastReview, form), promised, clickOf(args));
  if (isRefusal(filed)) {
    // Who may not, or cannot be checked, is told so at once: a new review would ask Slack the same, and Slack waits for the ack.
    if (isAboutRights(filed)) return say(refusalFor(context, args, filed));
    const again = await reviewOf(context, draft, lastReview, form, filed);
    return args.ack({ response_action: 'update', view: again.view(balance) });
  }
  await args.ack({ response_action: 'update', view: filedView(filed, filed.freeze) });
}

/** What a review says now. */
async function reviewOf<D extends FormDraft<C>, C extends Content>(
  context: HandlerContext,
  draft: Draft<D>,
  asked: Pick<LastReview<C>, 'content' | 'reason'>,
  form: PurchaseForm<D, C>,
  changed?: Refusal,
): Promise<DrawnReview> {
  const { policy } = context.purchasing;
  const { content, reason } = asked;
  const { found, freeze, review } = await context.purchasing.review(proposalOf(draft, asked, form));
  const needsApproval = isRefusal(found) ? null : found.needsApproval;
  const cost = isRefusal(found) ? null : shownAmount(found.cost);
  const lastTwin = isRefusal(found) ? null : found.lastTwin;
  const lastReview = { id: review, content, reason, needsApproval, cost, lastTwin };
  await context.drafts.update<D>(draft.id, draft.user, (old) => ({ ...old, lastReview }));
  return drawnReview(context, policy, { user: draft.user, reason, freeze, changed }, (surroundings) =>
    form.draw(`${draft.id}${REVIEW_OF}${review}`, content, found, surroundings),
  );
}

/** A review, to be drawn with the balance as it is known by then. */
export interface DrawnReview {
  /** Slack finds its view by it. */
  readonly externalId: string;
  readonly view: (balance: BalanceReading | null) => types.ModalView;
}

/** @param said of it; a tick that is missing is asked for by the view itself */
export function drawnReview(
  { clock, newId }: HandlerContext,
  { contact, access, approvals }: Policy,
  said: Pick<ReviewSurroundings, 'user' | 'reason' | 'freeze' | 'changed'>,
  draw: (surroundings: ReviewSurroundings) => types.ModalView,
): DrawnReview {
  const externalId = newId();
  const inForce = { contact: contact ?? null, approvers: access.approve, approvals };
  const around = { ...said, ...inForce, now: clock.now(), externalId };
  return { externalId, view: (balance) => draw({ ...around, balance }) };
}

/** Acks with it, on top of the form that was submitted; the balance follows where it is still being read. */
export async function pushReview(
  context: HandlerContext,
  args: SubmitArgs,
  { externalId, view }: DrawnReview,
  balance: BalanceReading | null,
): Promise<void> {
  await args.ack({ response_action: 'push', view: view(balance) });
  if (balance === null)
    await updateView(context, args, { external_id: externalId }, view(await context.purchasing.balance('form')));
}

function proposalOf<D extends FormDraft<C>, C extends Content>(
  draft: Draft<D>,
  { content, reason }: Pick<LastReview<C>, 'content' | 'reason'>,
  form: PurchaseForm<D, C>,
): Proposal {
  return {
    submission: draft.id,
    requester: draft.user,
    content,
    reason,
    separate: draft.content.separate,
    neverSeenAccepted: form.neverSeenAccepted(draft.content),
  };
}
