import Big from 'big.js';
import type { LocalSlack, Message } from '../slack/index.ts';
import { placedElements } from '../slack/inputs.ts';
import type { Dict } from '../slack/json.ts';
import type { ViewRecord } from '../slack/types.ts';
import type { Sandbox } from './start-sandbox.ts';
import type { Act, ActResult, MessageCopy } from './wire.ts';

const DONE: ActResult = { ok: true, failure: null };

/** Does in the sandbox what somebody did in the page. Resolves when Slack's client would stop its spinner. */
export async function perform(act: Act, { sandbox, copies }: { sandbox: Sandbox; copies: Copies }): Promise<ActResult> {
  const { slack, vendor } = sandbox;
  switch (act.do) {
    case 'command':
      return settled(await slack.interactions.command(act.user, act.command, act.text, act.channel));
    case 'say':
      slack.interactions.say(act.user, act.channel, act.text, act.threadTs);
      return DONE;
    case 'open_app':
      return settled(await slack.interactions.openHome(act.user, act.tab));
    case 'shortcut': {
      const message = act.on && copies.find(act.on);
      if (act.on && !message) return gone('This message is gone.');
      return settled(await slack.interactions.shortcut(act.user, act.callbackId, message));
    }
    case 'put_forward':
      await sandbox.putForward(act.ms);
      return DONE;
    case 'enter': {
      const view = slack.state.views[act.view];
      // The app may have taken the input away while it was being typed in.
      if (view && isThere(view, act.block, act.action))
        slack.interactions.enter(view, act.block, act.action, act.value);
      return DONE;
    }
    case 'act': {
      const view = slack.state.views[act.view];
      const element = view && elementIn(view.blocks, act.block, act.action);
      if (!view || !element) return gone('This is no longer on the screen.');
      return settled(await slack.interactions.actInView(view, act.block, element, act.value));
    }
    case 'suggest': {
      const view = slack.state.views[act.view];
      if (!view) return gone('This is no longer on the screen.');
      return {
        ok: true,
        failure: null,
        options: await slack.interactions.suggest(view, act.block, act.action, act.query),
      };
    }
    case 'act_on_message': {
      const message = copies.find(act.on);
      const element = message && elementIn(message.blocks, act.block, act.action);
      if (!message || !element) return gone('This message is gone.');
      return settled(await slack.interactions.actOnMessage(act.user, message, act.block, element, act.value));
    }
    case 'submit': {
      const view = slack.state.views[act.view];
      return view ? settled(await slack.interactions.submit(view)) : gone('This view has been closed.');
    }
    case 'close':
      if ((slack.state.stacks[act.user] ?? []).length === 0) return DONE;
      return settled(await slack.interactions.close(act.user, act.all));
    case 'vendor_set':
      if (act.balance !== undefined) vendor.balance = act.balance;
      if (act.pricePerIp !== undefined) vendor.pricePerIp = act.pricePerIp;
      return DONE;
    case 'vendor_console': {
      const change = act.what === 'buy' ? new Big(act.amount).neg() : new Big(act.amount);
      vendor.balance = new Big(vendor.balance).plus(change).toFixed(2);
      return DONE;
    }
    case 'vendor_next':
      vendor.next(act.endpoint, act.misbehaviour);
      return DONE;
    case 'vendor_behave':
      vendor.behave();
      return DONE;
    case 'vendor_release':
      vendor.release();
      return DONE;
    case 'bot_restart':
      await sandbox.restartBot(act.how);
      return DONE;
    default:
      return act satisfies never;
  }
}

function settled(delivery: { readonly failure: string | null } | null): ActResult {
  return { ok: true, failure: delivery?.failure ?? null };
}

function gone(error: string): ActResult {
  return { ok: false, error };
}

function elementIn(blocks: Dict[], block: string, action: string): Dict | undefined {
  return placedElements(blocks).find((placed) => placed.blockId === block && placed.actionId === action)?.element;
}

function isThere(view: ViewRecord, block: string, action: string): boolean {
  return Object.values(view.inputs).some(({ blockId, actionId }) => blockId === block && actionId === action);
}

/** Every copy of a message that may still stand on somebody's screen: a click may come from an old one. */
export interface Copies {
  find(copy: MessageCopy): Message | undefined;
  close(): void;
}

export function keepCopies(slack: LocalSlack): Copies {
  const copies = new Map<string, Message>();
  const key = ({ channel, ts, edits }: MessageCopy) => `${channel} ${ts} ${edits}`;
  for (const message of slack.state.messages) copies.set(key(message), message);
  const close = slack.on((event) => {
    if (event.type === 'message_posted' || event.type === 'message_edited')
      copies.set(key(event.message), event.message);
  });
  return { find: (copy) => copies.get(key(copy)), close };
}
