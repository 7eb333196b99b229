import type { types } from '@slack/bolt';
import type { Basket } from '../../src/purchasing/model/basket.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners, SubmitArgs } from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { decodeBasket } from '../buy/decode.ts';
import { type BuyDraft, chooseSaved, once, unfinishedRows } from '../buy/draft.ts';
import { basketOption, MANAGE_TITLE, manageView, renameView, SAVE_TITLE, saveView } from '../buy/saved.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { fieldsOf, typedText } from '../state.ts';
import { changeForm, keepForm, showForm } from './buy.ts';
import { answerAt, openView, openWhenReady, type Ready, updateView } from './open.ts';
import { clickOf, idCarried, refusalFor, userOf } from './reply.ts';
import { GONE } from './review.ts';

/** What is about to be saved, as it was shown. Its id becomes the basket's, so that one view saves one basket. */
interface SaveDraft {
  /** The id of the form's draft. */
  readonly form: string;
  readonly basket: Basket;
  readonly plan: string | null;
}

/** Between the id of the form's draft and the basket's, in the metadata of the view in which it is renamed. */
const BASKET_OF = '/';

/** Where the form's draft would stand. */
const NO_FORM = '';

/** What is mended by typing another name, or by waiting: it stands at the field. */
const AT_THE_NAME: readonly Refusal['refused'][] = [
  'basket_name_missing',
  'basket_name_too_long',
  'basket_name_taken',
  'too_many_baskets',
  'rights_unreadable',
];

export function registerSavedBaskets(on: Listeners, context: HandlerContext): void {
  on.suggest(ACTION.savedBasket, async ({ ack, payload, body }) => {
    const found = await context.savedBaskets.suggest(body.user.id, payload.value);
    await ack({ options: isRefusal(found) ? [] : found.map(basketOption) });
  });
  on.action(ACTION.savedBasket, (args) => choose(context, args));
  on.action(ACTION.saveBasket, (args) => openSave(context, args));
  on.action(ACTION.manageBaskets, (args) => openManage(context, args));
  on.action(ACTION.renameBasket, (args) => openRename(context, args));
  on.action(ACTION.removeBasket, (args) => remove(context, args));
  on.submit(CALLBACK.saveBasket, (args) => save(context, args));
  on.submit(CALLBACK.renameBasket, (args) => rename(context, args));
}

async function choose(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const { savedBaskets, purchasing, newId } = context;
  const id = 'selected_option' in args.action ? args.action.selected_option?.value : undefined;
  if (id === undefined) return;
  const [found, anySaved] = await Promise.all([savedBaskets.find(userOf(args), id), savedBaskets.any()]);
  const apply = (draft: BuyDraft): BuyDraft =>
    isRefusal(found)
      ? { ...draft, said: { how: 'problem', text: refusalFor(context, args, found) } }
      : chooseSaved(draft, found, purchasing.policy.plans, newId);
  // The select is drawn empty again, so that the same one can be chosen once more.
  await changeForm(context, args, (draft) => ({ ...apply(draft), chosen: (draft.chosen ?? 0) + 1, anySaved }));
}

/** Pushed on the form, with exactly what would be saved; or what is still to be mended in the form. */
async function openSave(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const form = await keepForm(context, args);
  if (!form) return;
  const { content } = form;
  const read = decodeBasket(content);
  if (!read.ok) return answerAt(context, args, SAVE_TITLE, unfinishedRows(content, read.errors));
  const plan = context.purchasing.policy.plans.find(({ productId }) => productId === content.plan);
  const draft = await context.drafts.create<SaveDraft>(userOf(args), {
    form: form.id,
    basket: read.content,
    plan: plan?.productId ?? null,
  });
  await openView(context, args, saveView(draft.id, read.content, plan));
}

async function save(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { view } = args;
  const user = userOf(args);
  const draft = await context.drafts.read<SaveDraft>(view.private_metadata, user);
  if (!draft) return show(args, sentenceView(SAVE_TITLE, GONE, 'Back'));
  const { id, content } = draft;
  const field = BLOCK.basketName(id);
  const typed = typedText(view.state.values, field, ACTION.basketName) ?? '';
  const { basket, plan } = content;
  const saved = await context.savedBaskets.save(clickOf(args), { id, basket, plan, typed });
  if (isRefusal(saved)) {
    if (AT_THE_NAME.includes(saved.refused)) return refuseName(context, args, field, saved);
    return show(args, sentenceView(SAVE_TITLE, refusalFor(context, args, saved), 'Back'));
  }
  await args.ack();
  const said = { how: 'done', text: `Saved as “${saved.name}”.` } as const;
  const form = await context.drafts.update<BuyDraft>(content.form, user, (old) =>
    once(old, view.id, (now) => ({ ...now, anySaved: true, said })),
  );
  if (form) await showForm(context, args, form);
}

async function openManage(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const form = await keepForm(context, args);
  if (form) await openWhenReady(context, args, MANAGE_TITLE, listed(context, args, form.id));
}

/** `/proxy baskets`: also for approvers, who may have no form to open. */
export async function openBaskets(context: HandlerContext, args: CommandArgs): Promise<void> {
  await openWhenReady(context, args, MANAGE_TITLE, listed(context, args, NO_FORM));
}

async function listed(
  context: HandlerContext,
  args: ActionArgs | CommandArgs | SubmitArgs,
  formId: string,
  problem?: string,
): Promise<Ready> {
  const { savedBaskets, purchasing } = context;
  const found = await savedBaskets.list(userOf(args));
  if (isRefusal(found)) return { sentence: refusalFor(context, args, found, 'see saved baskets') };
  return { view: manageView(formId, found, purchasing.policy.plans, problem === undefined ? [] : [problem]) };
}

/** The list in place of what is shown. */
async function listView(...asked: Parameters<typeof listed>): Promise<types.ModalView> {
  const ready = await listed(...asked);
  return 'view' in ready ? ready.view : sentenceView(MANAGE_TITLE, ready.sentence, 'Back');
}

/** In place of the list: a third view on it would be the fourth where the form lies on an order, and Slack takes three. */
async function openRename(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const { view } = args.body;
  if (!view) return;
  const basket = await context.savedBaskets.find(userOf(args), idCarried(args));
  if (isRefusal(basket)) return redrawList(context, args, view, basket);
  if (!basket.mayChange) return redrawList(context, args, view, { refused: 'not_basket_maker', by: basket.by });
  const metadata = `${view.private_metadata}${BASKET_OF}${basket.id}`;
  await updateView(context, args, view.id, renameView(metadata, basket));
}

async function rename(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { view } = args;
  const [formId = '', id = ''] = view.private_metadata.split(BASKET_OF);
  const field = BLOCK.basketName(id);
  const before = await context.savedBaskets.find(userOf(args), id);
  // The name that the view was updated with may be missing in Slack's state, or empty.
  const typed = fieldsOf(view.state.values, [field]).typed(
    field,
    ACTION.basketName,
    isRefusal(before) ? '' : before.name,
  );
  const renamed = await context.savedBaskets.rename(clickOf(args), id, typed);
  if (isRefusal(renamed) && AT_THE_NAME.includes(renamed.refused)) return refuseName(context, args, field, renamed);
  const problem = isRefusal(renamed) ? refusalFor(context, args, renamed) : undefined;
  await show(args, await listView(context, args, formId, problem));
}

async function remove(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const { view } = args.body;
  if (!view) return;
  const removed = await context.savedBaskets.remove(clickOf(args), idCarried(args));
  await redrawList(context, args, view, isRefusal(removed) ? removed : undefined);
  const anySaved = await context.savedBaskets.any();
  const user = userOf(args);
  const form = await context.drafts.update<BuyDraft>(view.private_metadata, user, (draft) =>
    draft.anySaved === anySaved ? draft : { ...draft, anySaved, said: null },
  );
  if (form && !anySaved) await showForm(context, args, form);
}

/** Until what is shown is the latest: whatever order two updates reach Slack in, the one who changed something last also draws last. */
async function redrawList(
  context: HandlerContext,
  args: ActionArgs,
  { id, private_metadata }: { readonly id: string; readonly private_metadata: string },
  refusal: Refusal | undefined,
): Promise<void> {
  const problem = refusal && refusalFor(context, args, refusal);
  for (let shown = ''; ; ) {
    const view = await listView(context, args, private_metadata, problem);
    const latest = JSON.stringify(view);
    if (latest === shown) return;
    await updateView(context, args, id, view);
    shown = latest;
  }
}

function refuseName(context: HandlerContext, args: SubmitArgs, field: string, refusal: Refusal): Promise<void> {
  return args.ack({ response_action: 'errors', errors: { [field]: refusalFor(context, args, refusal) } });
}

function show(args: SubmitArgs, view: types.ModalView): Promise<void> {
  return args.ack({ response_action: 'update', view });
}
