import type { types } from '@slack/bolt';
import { within } from '../../src/purchasing/within.ts';
import { isClosedView, isLate, troubleOf } from '../../src/slack/errors.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { ActionArgs, CommandArgs } from '../../src/slack/listeners.ts';
import { loading, sentenceView } from '../plain.ts';
import { seconds } from '../when.ts';
import { tell } from './reply.ts';

type ModalView = types.ModalView;

/** What stands in the modal, or why there is nothing to show. */
export type Ready = { readonly view: ModalView } | { readonly sentence: string };

/** A trigger lives 3 s. What is ready by now opens at once; slower things open as a loading view first. */
const OPEN_AT_ONCE_WITHIN_MS = 400;

/**
 * Opens a modal for a click or a command that has been acked. Nothing of the desk is shown before `work` has checked who asks.
 * @returns the id of the view that now shows `work`'s view; undefined where nothing does.
 */
export async function openWhenReady(
  desk: Desk,
  args: CommandArgs | ActionArgs,
  title: string,
  work: Promise<Ready>,
): Promise<string | undefined> {
  const early = await within(desk.clock, OPEN_AT_ONCE_WITHIN_MS, work, undefined);
  if (early && 'sentence' in early) {
    await tell(args, early.sentence);
    return undefined;
  }
  const viewId = await open(desk, args, early?.view ?? loading(title));
  if (viewId === undefined || early) return viewId;

  const ready = await work.catch(async (error: unknown) => {
    await updateView(desk, args, viewId, sentenceView(title, 'Something went wrong here. No money has moved.'));
    throw error;
  });
  await updateView(desk, args, viewId, 'view' in ready ? ready.view : sentenceView(title, ready.sentence));
  return 'view' in ready ? viewId : undefined;
}

/** Closed by the person meanwhile: nothing to say. */
export async function updateView(
  desk: Desk,
  args: Pick<ActionArgs, 'client'>,
  viewId: string,
  view: ModalView,
): Promise<void> {
  try {
    await args.client.views.update({ view_id: viewId, view });
  } catch (error) {
    if (!isClosedView(error)) throw error;
    desk.log.debug({ viewId }, 'the view was closed before it could be updated');
  }
}

async function open(desk: Desk, args: CommandArgs | ActionArgs, view: ModalView): Promise<string | undefined> {
  try {
    const opened = await args.client.views.open({ trigger_id: args.body.trigger_id, view });
    return opened.view?.id;
  } catch (error) {
    desk.log.warn({ err: error }, 'a view could not be opened');
    await tell(args, whyNotOpened(error));
    return undefined;
  }
}

const NOTHING_DONE = 'Nothing was filed and no money has moved';

function whyNotOpened(error: unknown): string {
  if (isLate(error)) return `Slack did not open the form in time. ${NOTHING_DONE}: please do that again.`;
  const trouble = troubleOf(error);
  switch (trouble.kind) {
    case 'rate_limited':
      return `Slack takes no more calls from Proxy Desk for now. ${NOTHING_DONE}: please do that again in ${seconds(trouble.retryAfterSeconds)}.`;
    case 'unreachable':
      return `Slack did not answer when the form was to be opened. ${NOTHING_DONE}. If no form has opened, please do that again.`;
    case 'refused':
      return `Slack refused to open the form (${trouble.code}). ${NOTHING_DONE}. Doing it again will hardly help: tell whoever runs Proxy Desk.`;
    default:
      return trouble satisfies never;
  }
}
