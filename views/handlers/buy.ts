import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import { unpricedNeedsApproval } from '../../src/purchasing/rules/dollars.ts';
import type {
  ActionArgs,
  CommandArgs,
  HandlerContext,
  Listeners,
  ShortcutArgs,
  SubmitArgs,
} from '../../src/slack/listeners.ts';
import { sentenceView } from '../blocks.ts';
import { decodeBuy } from '../buy/decode.ts';
import {
  addRow,
  type BuyContent,
  type BuyDraft,
  type BuyStart,
  newBuyDraft,
  once,
  pasteRows,
  pricedSoFar,
  removeRow,
  tooManyCountries,
  withTyped,
} from '../buy/draft.ts';
import { BUY_TITLE, buyForm, buyReview, countryOptions, listIn, pasteText, pasteView } from '../buy/form.ts';
import { ACTION, CALLBACK, SHORTCUT } from '../ids.ts';
import { type Errors, readTicks } from '../state.ts';
import { literal } from '../text.ts';
import { rowsText } from '../typed-problems.ts';
import { costReader } from './costs.ts';
import { openForm, openView, redraw, updateView } from './open.ts';
import { idCarried, tell, userOf } from './reply.ts';
import { GONE, type PurchaseForm, submitForm, submitReview } from './review.ts';

export function registerBuy(on: Listeners, context: HandlerContext): void {
  on.shortcut(SHORTCUT.buy, (args) => openFromShortcut(context, args));
  on.shortcut(SHORTCUT.buyFromMessage, (args) => openFromShortcut(context, args));
  on.action(ACTION.addCountry, async (args) => {
    await args.ack();
    await changeForm(context, args, (draft) => addRow(draft, context.newId));
  });
  on.action(ACTION.removeRow, async (args) => {
    await args.ack();
    await changeForm(context, args, (draft) => removeRow(draft, idCarried(args), context.newId));
  });
  on.action(ACTION.pasteList, (args) => openPaste(context, args));
  on.submit(CALLBACK.paste, (args) => submitPaste(context, args));
  on.suggest(ACTION.country, async ({ ack, payload }) => {
    // Public knowledge, answered from memory: there is no time to ask anybody within Slack's 3 s.
    await ack({ options: countryOptions(payload.value) });
  });
  on.submit(CALLBACK.buy, (args) => submitForm(context, args, BUY));
  on.submit(CALLBACK.buyReview, (args) => submitReview(context, args, BUY));
}

/** `/proxy buy …`: the form, with the rows that were typed and the plan that this person used last. */
export async function openBuy(
  context: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs,
  start: Pick<BuyStart, 'basket' | 'unclear' | 'plan' | 'reason'>,
): Promise<void> {
  const { basket, unclear = [] } = start;
  const tooMany = tooManyCountries(basket.length + unclear.length);
  if (tooMany)
    return tell(
      args,
      `${tooMany} Nothing was opened, filed or spent. To copy:\n\`/proxy buy ${literal(rowsText({ basket, unclear }), 2_000)}\``,
    );
  await openForm<BuyDraft>(context, args, BUY_TITLE, 'buy', async () => {
    const { purchasing, savedBaskets, newId } = context;
    const [{ counted, lastPlan }, anySaved] = await Promise.all([
      purchasing.buyerFacts(userOf(args)),
      savedBaskets.any(),
    ]);
    const all = { ...start, plan: start.plan ?? lastPlan?.productId, counted, anySaved };
    const draft = newBuyDraft(purchasing.policy.plans, all, newId);
    return { draft, draw: draw(context, [], draft) };
  });
}

/** From a message with what it lists, where all of it is understood and fits; otherwise empty: nothing is guessed. */
async function openFromShortcut(context: HandlerContext, args: ShortcutArgs): Promise<void> {
  await args.ack();
  await openBuy(context, args, 'message' in args.shortcut ? listIn(args.shortcut.message.text ?? '') : { basket: [] });
}

/** For a press in the form that has been acked: changes what was put together, once, and shows it. */
export async function changeForm(
  context: HandlerContext,
  args: ActionArgs,
  apply: (draft: BuyDraft) => BuyDraft,
): Promise<void> {
  const { view } = args.body;
  if (!view) return;
  const id = view.private_metadata;
  const user = userOf(args);
  const changed = await context.drafts.update<BuyDraft>(id, user, (draft) =>
    once(draft, args.action.action_ts, (now) =>
      apply(withTyped({ ...now, view: view.id, said: null }, view.state.values)),
    ),
  );
  if (!changed) return updateView(context, args, view.id, sentenceView(BUY_TITLE, GONE));
  await showForm(context, args, changed);
}

/**
 * For a press in the form that has been acked and opens another view: what was typed is kept before that one lies over it.
 * @returns the form's draft; undefined where nothing is to be opened, since it is gone or this is delivered again.
 */
export async function keepForm(context: HandlerContext, args: ActionArgs): Promise<Draft<BuyDraft> | undefined> {
  const { view } = args.body;
  if (!view) return undefined;
  let again = true;
  const draft = await context.drafts.update<BuyDraft>(view.private_metadata, userOf(args), (old) =>
    once(old, args.action.action_ts, (now) => {
      again = false;
      return withTyped({ ...now, view: view.id }, view.state.values);
    }),
  );
  if (!draft) await updateView(context, args, view.id, sentenceView(BUY_TITLE, GONE));
  return again ? undefined : draft;
}

async function openPaste(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const draft = await keepForm(context, args);
  if (draft) await openView(context, args, pasteView(draft.id));
}

async function submitPaste(context: HandlerContext, args: SubmitArgs): Promise<void> {
  const { view } = args;
  const user = userOf(args);
  const pasted = pasteText(view.state.values);
  if (!pasted.ok) return args.ack({ response_action: 'errors', errors: pasted.errors });
  let tooMany: Errors | undefined;
  const changed = await context.drafts.update<BuyDraft>(view.private_metadata, user, (draft) =>
    once(draft, view.id, (now) => {
      const joined = pasteRows(now, pasted.content, context.newId);
      tooMany = joined.ok ? undefined : joined.errors;
      return joined.ok ? { ...joined.content, said: null } : now;
    }),
  );
  if (!changed) return args.ack({ response_action: 'update', view: sentenceView(BUY_TITLE, GONE) });
  if (tooMany) return args.ack({ response_action: 'errors', errors: tooMany });
  // The list closes, and the form under it shows the rows.
  await args.ack();
  await showForm(context, args, changed);
}

export function showForm(
  context: HandlerContext,
  args: Pick<ActionArgs, 'client'>,
  draft: Draft<BuyDraft>,
): Promise<void> {
  return redraw(context, args, draft, draw(context));
}

/** @param begun what it begins with: its cost is read already while it is kept */
function draw(context: HandlerContext, problems: readonly string[] = [], begun?: BuyDraft) {
  const { policy } = context.purchasing;
  const { plans, limits, approvals } = policy;
  const costOf = costReader(context);
  if (begun) void costOf(pricedSoFar(begun));
  return async (draft: Draft<BuyDraft>) => {
    const cost = await costOf(pricedSoFar(draft.content));
    return buyForm(draft.id, draft.content, {
      plans,
      maxPerOrder: limits.ipsPerOrder,
      approvals,
      cost,
      unpricedNeedsApproval: unpricedNeedsApproval(policy),
      problems,
    });
  };
}

const BUY: PurchaseForm<BuyDraft, BuyContent> = {
  withTyped,
  decode: decodeBuy,
  withTicks: (draft, values) => ({ ...draft, separate: readTicks(values).separate }),
  neverSeenAccepted: () => false,
  redraw: async (context, draft, problems) => draw(context, problems)(draft),
  draw: buyReview,
};
