import { createHash } from 'node:crypto';
import { readOrderList } from '../../src/input/order-list.ts';
import type { ImportReview, ImportRow } from '../../src/purchasing/model/import.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { IMPORT_TITLE, importedView, importForm, importProblems, importReview } from '../import.ts';
import { fieldsOf } from '../state.ts';
import { openWhenReady, type Ready } from './open.ts';
import { clickOf, refusalFor, userOf } from './reply.ts';
import { GONE, REVIEW_OF } from './review.ts';

/** What somebody is importing. */
interface ImportDraft {
  readonly kind: 'import';
  /** As it was submitted last. */
  readonly text: string;
  /** What the last review showed: exactly this is written, and only by the submit of that review. */
  readonly review: { readonly id: string; readonly add: readonly ImportRow[] } | null;
}

const ASKED = 'import orders';

export function registerImport(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.import, async (args) => {
    await args.ack();
    await openImport(context, args);
  });
  on.submit(CALLBACK.import, (args) => submitList(context, args));
  on.submit(CALLBACK.importReview, (args) => submitReviewed(context, args));
}

/** For a click or a command that has been acked: the form for a list of orders, for those who approve. */
export async function openImport(context: HandlerContext, args: CommandArgs | ActionArgs): Promise<void> {
  const user = userOf(args);
  const prepare = async (): Promise<Ready> => {
    const no = await context.purchasing.mayOpen(user, 'approve');
    if (no) return { sentence: refusalFor(context, args, no, ASKED) };
    const draft = await context.drafts.create<ImportDraft>(user, { kind: 'import', text: '', review: null });
    return { view: importForm(draft.id, { text: '', review: null }, context.purchasing.policy.plans) };
  };
  await openWhenReady(context, args, IMPORT_TITLE, prepare());
}

/** The list is submitted: what is wrong with it, above the list itself, or the review of exactly what would be written. */
async function submitList(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { private_metadata: id, state } = args.view;
  const user = userOf(args);
  const draft = await context.drafts.update<ImportDraft>(id, user, (old) => ({
    ...old,
    // The list that a form was updated with may be missing in Slack's state, or empty.
    text: fieldsOf(state.values, old.text === '' ? [] : [BLOCK.import]).typed(
      BLOCK.import,
      ACTION.importText,
      old.text,
    ),
  }));
  if (!draft) return show(args, sentenceView(IMPORT_TITLE, GONE));
  const { text } = draft.content;
  const found = await reviewOf(context, user, text);
  if (isRefusal(found)) return show(args, sentenceView(IMPORT_TITLE, refusalFor(context, args, found, ASKED)));
  if (found.problems.length > 0)
    return show(args, importForm(id, { text, review: found }, context.purchasing.policy.plans));
  const metadata = await keep(context, id, user, found);
  await args.ack({ response_action: 'push', view: importReview(metadata, found) });
}

/** The review is submitted: written once, however often it arrives, or a new review of what has changed. */
async function submitReviewed(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const [id = '', reviewId] = args.view.private_metadata.split(REVIEW_OF);
  const user = userOf(args);
  const draft = await context.drafts.read<ImportDraft>(id, user);
  if (!draft?.content.review) return show(args, sentenceView(IMPORT_TITLE, GONE));
  const { review, text } = draft.content;
  const written =
    review.id === reviewId
      ? await context.importing.write(clickOf(args), review.add)
      : ({ refused: 'review_outdated' } as const);
  if (!isRefusal(written)) return show(args, importedView(written.imported));
  if (written.refused !== 'review_outdated')
    return show(args, sentenceView(IMPORT_TITLE, refusalFor(context, args, written, ASKED), 'Back'));
  const found = await reviewOf(context, user, text);
  if (isRefusal(found)) return show(args, sentenceView(IMPORT_TITLE, refusalFor(context, args, found, ASKED), 'Back'));
  if (found.problems.length > 0) return show(args, importProblems(found.problems));
  return show(args, importReview(await keep(context, id, user, found), found, true));
}

function show(args: SubmitArgs, view: ReturnType<typeof sentenceView>): Promise<void> {
  return args.ack({ response_action: 'update', view });
}

function reviewOf({ importing }: HandlerContext, user: string, text: string): Promise<ImportReview | Refusal> {
  const { lines, problems } = readOrderList(text);
  return importing.review(user, lines, problems);
}

/** @returns the metadata of the review's view. Reviews that say the same have the same: Slack may deliver a list twice. */
async function keep(context: HandlerContext, id: string, user: string, { add }: ImportReview): Promise<string> {
  const reviewId = createHash('sha256').update(JSON.stringify(add)).digest('hex').slice(0, 16);
  await context.drafts.update<ImportDraft>(id, user, (draft) => ({ ...draft, review: { id: reviewId, add } }));
  return `${id}${REVIEW_OF}${reviewId}`;
}
