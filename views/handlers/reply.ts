import { randomUUID } from 'node:crypto';
import { RespondError, type RespondFn } from '@slack/bolt';
import type { Click, ClickedMessage } from '../../src/purchasing/model/click.ts';
import type { Refusal } from '../../src/purchasing/model/refusals.ts';
import type { ActionArgs, CommandArgs, HandlerContext, ShortcutArgs, SubmitArgs } from '../../src/slack/listeners.ts';
import { directChannel } from '../../src/slack/messenger.ts';
import { type DrawnMessage, foreign, says } from '../blocks.ts';
import { refusalSentence } from '../sentences.ts';
import { literal, plain } from '../text.ts';

/** How much of a refused command is given back, in characters. */
const TYPED_SHOWN = 1_000;

/** Slack's answer to a `response_url` has no time-out of its own. */
const RESPOND_WITHIN_MS = 5_000;

/** A refusal in a sentence for whoever did this. What was typed after a command is given back, where only Slack was in the way. */
export function refusalFor(
  { clock, purchasing }: HandlerContext,
  args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs,
  refusal: Refusal,
  asked?: string,
): string {
  const { contact = null } = purchasing.policy;
  const reader = { now: clock.now(), user: userOf(args), contact, ...(asked === undefined ? {} : { asked }) };
  const sentence = refusalSentence(refusal, reader);
  const isMended = refusal.refused === 'rights_unreadable' && 'command' in args;
  return isMended ? `${sentence}\nYou typed: \`/proxy ${literal(args.command.text, TYPED_SHOWN)}\`` : sentence;
}

/** To this person alone, where they clicked or typed; by direct message where that does not work. Throws when neither does. */
export async function tell(
  args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs,
  message: string | DrawnMessage,
): Promise<void> {
  const { text, blocks } = typeof message === 'string' ? says(message) : message;
  const content = { text, blocks: [...blocks] };
  const respond = respondOf(args);
  if (respond) {
    try {
      await inTime(respond({ ...content, response_type: 'ephemeral', replace_original: false }));
      return;
    } catch {
      // No answer in time may still be a late one: then it is said twice, which is better than not at all.
      // A response_url works five times within 30 minutes, and not at once after a post; the person must hear all the same.
    }
  }
  const channel = await directChannel(args.client, userOf(args));
  await args.client.chat.postMessage({ channel, ...content, unfurl_links: false, unfurl_media: false });
}

/**
 * What became of something beside the words. `refused`: not there, for what it is. `not_here`: not there, since this place takes nothing more.
 * `unsure`: Slack gave no answer that tells.
 */
export type Shown = 'shown' | 'refused' | 'not_here' | 'unsure';

/** To this person alone, where they typed, and nowhere else. */
export async function respondOnly(args: CommandArgs, { text, blocks }: DrawnMessage): Promise<Shown> {
  try {
    await inTime(args.respond({ text, blocks: [...blocks], response_type: 'ephemeral', replace_original: false }));
    return 'shown';
  } catch (err) {
    const status = err instanceof RespondError ? err.statusCode : 0;
    if (status === 400) return 'refused';
    return status > 400 && status < 500 ? 'not_here' : 'unsure';
  }
}

/** Draws the message anew in which a button was pressed; where it can no longer be, it is told as anything else. */
export async function tellInPlace(args: ActionArgs, message: DrawnMessage): Promise<void> {
  const { text, blocks } = message;
  try {
    await inTime(args.respond({ text, blocks: [...blocks], response_type: 'ephemeral', replace_original: true }));
  } catch {
    await tell(args, message);
  }
}

/** Of a message that nothing keeps up to date, this sentence is left. */
export async function closeMessage({ messenger, log }: HandlerContext, args: ActionArgs, text: string): Promise<void> {
  const closed = await messenger.edit(clickedMessage(args), { text, blocks: [foreign(plain(text, 200))] });
  if (!('place' in closed)) log.warn(closed, 'the copy of a message could not be closed');
}

export function userOf(args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs): string {
  return 'command' in args ? args.command.user_id : args.body.user.id;
}

/** What this person did, once: each delivery of it carries the same trigger and content, and no other click does. */
export function clickOf(args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs): Click {
  const user = userOf(args);
  return { user, id: [args.body.trigger_id ?? randomUUID(), user, ...contentOf(args)].join(' ') };
}

function contentOf(args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs): readonly string[] {
  if ('command' in args) return [args.command.text];
  if ('action' in args) {
    const { channel, ts } = clickedMessage(args);
    return [args.action.action_id, args.action.action_ts, idCarried(args), channel, ts];
  }
  if ('shortcut' in args) return [args.shortcut.callback_id, args.shortcut.action_ts];
  return [args.view.callback_id, args.view.id, args.view.hash];
}

/** The message whose button was pressed; a view is nowhere, and as private as an answer. */
export function clickedMessage({ body }: ActionArgs): ClickedMessage {
  const { channel, message, container } = body;
  return {
    channel: channel?.id ?? String(container['channel_id'] ?? ''),
    ts: message?.ts ?? String(container['message_ts'] ?? ''),
    isPrivateAnswer: container['is_ephemeral'] === true || container['type'] === 'view',
  };
}

export function isInHome(args: CommandArgs | ActionArgs | ShortcutArgs): boolean {
  return 'action' in args && args.body.view?.type === 'home';
}

/** What a button, or what was chosen, carries: an id. */
export function idCarried({ action }: ActionArgs): string {
  if ('value' in action) return action.value ?? '';
  return action.type === 'static_select' ? action.selected_option.value : '';
}

/** A click inside a modal, and a submitted view, come without a place to respond to. */
function respondOf(args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs): RespondFn | undefined {
  if ('command' in args) return args.respond;
  if ('action' in args && args.body.response_url) return args.respond;
  // A global one is of no place.
  if ('shortcut' in args && args.shortcut.type === 'message_action') return args.respond;
  return undefined;
}

async function inTime(responded: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer to a response_url')), RESPOND_WITHIN_MS);
  });
  try {
    await Promise.race([responded, late]);
  } finally {
    clearTimeout(timer);
  }
}
