import type { types } from '@slack/bolt';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Content } from '../../src/purchasing/model/purchase.ts';
import { isAboutRights, isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import type { Proposal, Review } from '../../src/purchasing/rules/filing.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { SubmitArgs } from '../../src/slack/listeners.ts';
import { filedView } from '../filed.ts';
import { sentenceView } from '../plain.ts';
import type { ReviewContext } from '../review.ts';
import type { Decoded, ReviewedDraft } from '../reviewed-draft.ts';
import { refusalSentence } from '../sentences.ts';
import type { Values } from '../state.ts';
import { userOf } from './reply.ts';

/** The two kinds of purchase, as far as their views differ. */
export interface Kind<D extends ReviewedDraft, C extends Content> {
  readonly withTyped: (draft: D, values: Values) => D;
  readonly decode: (draft: D, policy: Policy) => Decoded<C>;
  /** The ticks of the review. */
  readonly withTicks: (draft: D, values: Values) => D;
  readonly neverSeenAccepted: (draft: D) => boolean;
  /** @param metadata of the view: the draft's id and the review's */
  readonly draw: (metadata: string, content: C, found: Review | Refusal, context: ReviewContext) => types.ModalView;
}

/** Between the draft's id and the review's, in the review's metadata. */
const REVIEW_OF = '/';

export const GONE = 'This form is more than a day old, and its content is gone. Nothing was filed: please start again.';

/** The form is submitted: its errors, or the review of exactly what would be sent. Files nothing. */
export async function submitForm<D extends ReviewedDraft, C extends Content>(
  desk: Desk,
  args: SubmitArgs,
  kind: Kind<D, C>,
): Promise<void> {
  const { view } = args;
  const draft = await desk.drafts.update<D>(view.private_metadata, userOf(args), (old) =>
    kind.withTyped(old, view.state.values),
  );
  if (!draft) return args.ack({ response_action: 'update', view: sentenceView(view.title.text, GONE) });
  const decoded = kind.decode(draft.content, desk.purchasing.policy);
  if (!decoded.ok) return args.ack({ response_action: 'errors', errors: decoded.errors });
  await args.ack({ response_action: 'push', view: await reviewOf(desk, draft, decoded.content, kind) });
}

/** The review is submitted: filed once, however often it arrives, or a new review that says what has changed. */
export async function submitReview<D extends ReviewedDraft, C extends Content>(
  desk: Desk,
  args: SubmitArgs,
  kind: Kind<D, C>,
): Promise<void> {
  const { view } = args;
  const say = (sentence: string) =>
    args.ack({ response_action: 'update', view: sentenceView(view.title.text, sentence) });
  const [draftId = '', review] = view.private_metadata.split(REVIEW_OF);
  const draft = await desk.drafts.update<D>(draftId, userOf(args), (old) => kind.withTicks(old, view.state.values));
  if (!draft) return say(GONE);
  const decoded = kind.decode(draft.content, desk.purchasing.policy);
  if (!decoded.ok) return say(`*Nothing was filed.* ${Object.values(decoded.errors).join(' ')}`);

  const { promised } = draft.content;
  const filed =
    promised !== null && promised.review === review
      ? await desk.purchasing.file(proposalOf(draft, decoded.content, kind), promised)
      : ({ refused: 'review_outdated' } as const);
  if (isRefusal(filed)) {
    // Who may not, or cannot be checked, is told so at once: a new review would ask Slack the same, and Slack waits for the ack.
    if (isAboutRights(filed)) return say(refusalSentence(filed, desk.clock.now()));
    const again = await reviewOf(desk, draft, decoded.content, kind, filed);
    return args.ack({ response_action: 'update', view: again });
  }
  const record = await desk.ledger.record(filed.id);
  if (!record) throw new Error(`${filed.id} was filed and is not there`);
  await args.ack({
    response_action: 'update',
    view: filedView(record.purchase, { freeze: await desk.ledger.freeze() }),
  });
}

async function reviewOf<D extends ReviewedDraft, C extends Content>(
  desk: Desk,
  draft: Draft<D>,
  content: C,
  kind: Kind<D, C>,
  changed?: Refusal,
): Promise<types.ModalView> {
  const { found, freeze, review } = await desk.purchasing.review(proposalOf(draft, content, kind));
  const promised = isRefusal(found) ? null : { review, needsApproval: found.needsApproval };
  await desk.drafts.update<D>(draft.id, draft.user, (old) => ({ ...old, promised }));
  const now = desk.clock.now();
  return kind.draw(`${draft.id}${REVIEW_OF}${review}`, content, found, {
    balance: draft.content.balance,
    freeze,
    now,
    twin: isRefusal(found) ? null : found.twin,
    neverSeen: !isRefusal(found) && found.unseen,
    approvers: desk.purchasing.policy.access.approve,
    // A tick that is missing is asked for by the view itself.
    changed,
  });
}

function proposalOf<D extends ReviewedDraft, C extends Content>(
  draft: Draft<D>,
  content: C,
  kind: Kind<D, C>,
): Proposal {
  return {
    submission: draft.id,
    requester: draft.user,
    content,
    reason: draft.content.reason,
    separate: draft.content.separate,
    neverSeenAccepted: kind.neverSeenAccepted(draft.content),
  };
}
