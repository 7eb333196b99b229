import type { types } from '@slack/bolt';
import type { BalanceReading } from '../../src/purchasing/model/answer.ts';
import type { Right } from '../../src/purchasing/model/policy.ts';
import { within } from '../../src/purchasing/ports/clock.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import { isClosedView, isExchanged, isLate, troubleOf } from '../../src/slack/errors.ts';
import type { ActionArgs, CommandArgs, HandlerContext, ShortcutArgs } from '../../src/slack/listeners.ts';
import { loading, sentenceView } from '../blocks.ts';
import { contactName, seconds } from '../format.ts';
import type { FormDraft } from '../state.ts';
import { isInHome, refusalFor, tell, userOf } from './reply.ts';

type ModalView = types.ModalView;

/** What stands in the modal, or why there is nothing to show. */
export type Ready =
  | {
      readonly view: ModalView;
      /** To be done before it is shown by an update: Slack then does not know its presets. */
      readonly beforeUpdate?: () => Promise<unknown>;
    }
  | { readonly sentence: string };

/** A trigger lives 3 s. What is ready by now opens at once; slower things open as a loading view first. */
const OPEN_AT_ONCE_WITHIN_MS = 400;

/**
 * Opens a modal for a click or a command that has been acked; for a click in a modal, on top of that. Nothing of the account is shown
 * before `work` has checked who asks.
 * @returns the id of the view that now shows `work`'s view; undefined where nothing does.
 */
export async function openWhenReady(
  context: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs,
  title: string,
  work: Promise<Ready>,
): Promise<string | undefined> {
  const early = await within(context.clock, OPEN_AT_ONCE_WITHIN_MS, work, undefined);
  if (early && 'sentence' in early) {
    await answerAt(context, args, title, early.sentence);
    return undefined;
  }
  const viewId = await openView(context, args, early?.view ?? loading(title));
  if (viewId === undefined) return undefined;
  if (early) return viewId;

  try {
    const ready = await work;
    if ('view' in ready) await ready.beforeUpdate?.();
    await updateView(context, args, viewId, 'view' in ready ? ready.view : sentenceView(title, ready.sentence));
    return 'view' in ready ? viewId : undefined;
  } catch (error) {
    await updateView(context, args, viewId, sentenceView(title, 'Something went wrong here. No money has moved.'));
    throw error;
  }
}

/** Where the person looks: whoever has a modal or the Home tab before them does not see what is told elsewhere. */
export async function answerAt(
  context: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs,
  title: string,
  sentence: string,
): Promise<void> {
  if (isInModal(args)) await openView(context, args, sentenceView(title, sentence, 'Back'));
  else if (isInHome(args)) await openView(context, args, sentenceView(title, sentence));
  else await tell(args, sentence);
}

/** Does nothing where the person has closed the view. @param which Slack's id of the view, or our `external_id` where Slack's is not known */
export async function updateView(
  context: HandlerContext,
  args: Pick<ActionArgs, 'client'>,
  which: string | { readonly external_id: string },
  view: ModalView,
): Promise<void> {
  const id = typeof which === 'string' ? { view_id: which } : which;
  try {
    await args.client.views.update({ ...id, view });
  } catch (error) {
    if (!isClosedView(error)) throw error;
    context.log.debug(id, 'the view was closed before it could be updated');
  }
}

/**
 * A new modal, or on top of the one in which a button was pressed: three lie on each other at most. Does nothing where the person has
 * closed that one, or has the view already.
 * @returns the view's id; undefined where there is none, which the person has been told.
 */
export async function openView(
  context: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs,
  view: ModalView,
): Promise<string | undefined> {
  const { views } = args.client;
  const opening = { trigger_id: args.body.trigger_id, view };
  try {
    const opened = await (isInModal(args) ? views.push(opening) : views.open(opening));
    return opened.view?.id;
  } catch (error) {
    if (isInModal(args) && isClosedView(error)) {
      context.log.debug({}, 'the view was closed before another could lie on it');
      return undefined;
    }
    if (isExchanged(error)) {
      context.log.debug({}, 'delivered again: its view stands already');
      return undefined;
    }
    context.log.warn({ err: error }, 'a view could not be opened');
    await tell(args, whyNotOpened(error, context.purchasing.policy.contact ?? null));
    return undefined;
  }
}

function isInModal({ body }: CommandArgs | ActionArgs | ShortcutArgs): boolean {
  return 'view' in body && body.view?.type === 'modal';
}

const NOTHING_DONE = 'Nothing was filed and no money has moved';

function whyNotOpened(error: unknown, contact: string | null): string {
  if (isLate(error)) return `Slack did not open the form in time. ${NOTHING_DONE}: please do that again.`;
  const trouble = troubleOf(error);
  switch (trouble.kind) {
    case 'rate_limited':
      return `Slack takes no more calls from Proxy Desk for now. ${NOTHING_DONE}: please do that again in ${seconds(trouble.retryAfterSeconds)}.`;
    case 'unreachable':
      return `Slack did not answer when the form was to be opened. ${NOTHING_DONE}. If no form has opened, please do that again.`;
    case 'refused':
      return `Slack refused to open the form (${trouble.code}). ${NOTHING_DONE}. Doing it again will hardly help: tell ${contactName(contact)}.`;
    default:
      return trouble satisfies never;
  }
}

/** As much of a form's draft as is needed to keep its view up to date. */
type Shown = Pick<FormDraft, 'view' | 'balance' | 'unreported'>;

/** A form as it begins, and how it is drawn from then on. */
export interface Form<D> {
  readonly draft: D;
  readonly draw: (draft: Draft<D>) => types.ModalView | Promise<types.ModalView>;
}

/** Opens a form for whoever has the right, with the balance as soon as it is read: it is asked for while the form opens. */
export async function openForm<D extends Shown>(
  context: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs,
  title: string,
  right: Right,
  begin: () => Promise<Form<D>>,
): Promise<void> {
  const user = userOf(args);
  let begun:
    | { readonly id: string; readonly draw: Form<D>['draw']; readonly reading: Promise<BalanceReading> }
    | undefined;
  const prepare = async (): Promise<Ready> => {
    const no = await context.purchasing.mayOpen(user, right);
    if (no) return { sentence: refusalFor(context, args, no) };
    const form = await begin();
    const reading = context.purchasing.balance('form');
    // Where no form opens, nobody waits for it.
    reading.catch(() => undefined);
    const { unreported } = form.draft;
    // Slack's state knows the presets of a view that is opened with them: whoever empties one at once has emptied it.
    const draft = await context.drafts.create<D>(user, { ...form.draft, unreported: [] });
    begun = { id: draft.id, draw: form.draw, reading };
    return {
      view: await form.draw(draft),
      beforeUpdate: () => context.drafts.update<D>(draft.id, user, (late) => ({ ...late, unreported })),
    };
  };
  const view = await openWhenReady(context, args, title, prepare());
  if (view === undefined || !begun) return;
  const { id, draw, reading } = begun;
  // Kept at once: whatever is pressed in the form meanwhile brings its view.
  const balance = await reading;
  const draft = await context.drafts.update<D>(id, user, (old) => ({ ...old, view, balance }));
  if (draft) await redraw(context, args, draft, draw);
}

/**
 * Shows a draft in the view where it was opened, as it has just been kept, until what is shown is the latest of it: whatever order two
 * updates reach Slack in, the one who wrote last also draws last. Typed values stay, since every row keeps its own block ids.
 */
export async function redraw<T extends Pick<Shown, 'view'>>(
  context: HandlerContext,
  args: Pick<ActionArgs, 'client'>,
  kept: Draft<T>,
  draw: Form<T>['draw'],
): Promise<void> {
  let latest: Draft<T> | undefined = kept;
  for (let shown = 0; latest?.content.view && latest.revision !== shown; ) {
    await updateView(context, args, latest.content.view, await draw(latest));
    shown = latest.revision;
    latest = await context.drafts.read<T>(kept.id, kept.user);
  }
}
