import { type Core, Refused, violate } from './core.ts';
import type { Courier } from './delivery/index.ts';
import * as payloads from './delivery/payloads.ts';
import { inputKey } from './inputs.ts';
import { type Dict, dictAt, dictsAt, isDict, textAt } from './json.ts';
import { requireContent, requireOptions, requireView } from './limits/payloads.ts';
import { postMessage } from './messages.ts';
import type { Delivery, Message, StateValue, ViewRecord } from './types.ts';
import { closeFrom, heightOf, pushModal, stackOf, updateView, viewOutput } from './views.ts';

/** Slack's own sentence on a modal when an answer was missing or made no sense. */
export const TROUBLE = 'We had some trouble connecting. Try again?';

/** What Slack does when a person acts: tell the app, wait for the acknowledgement, show what it says. */
export interface Interactions {
  command: (user: string, command: string, text: string, channel: string) => Promise<Delivery | null>;
  /** Changes what an input shows; the app hears nothing of it. */
  enter: (view: ViewRecord, blockId: string, actionId: string, value: StateValue) => void;
  actInView: (view: ViewRecord, blockId: string, element: Dict, value?: StateValue) => Promise<Delivery>;
  /** `message` may be an old copy that is still on somebody's screen. */
  actOnMessage: (
    user: string,
    message: Message,
    blockId: string,
    element: Dict,
    value?: StateValue,
  ) => Promise<Delivery>;
  /** By the callback_id; the person has to be of this workspace, since an app's shortcuts are offered to nobody else. */
  shortcut: (user: string, callbackId: string, message?: Message) => Promise<Delivery>;
  /** A message of a person's own; the app hears nothing of it. */
  say: (user: string, channel: string, text: string, threadTs?: string) => Message;
  suggest: (view: ViewRecord, blockId: string, actionId: string, query: string) => Promise<Dict[]>;
  submit: (view: ViewRecord) => Promise<Delivery>;
  /** The close button of the top view, or (all) the cross that closes the whole modal. */
  close: (user: string, all: boolean) => Promise<Delivery | null>;
  openHome: (user: string, tab: 'home' | 'messages') => Promise<Delivery | null>;
  event: (type: string, event: Dict) => Promise<Delivery | null>;
}

export function createInteractions(core: Core, courier: Courier): Interactions {
  /** The state as of the last time the app heard of the view: what block_suggestion wrongly carries. */
  const lastHeard = new Map<string, Dict>();
  core.feed.on((event) => {
    if (event.type === 'view_opened' || event.type === 'view_updated' || event.type === 'home_published')
      lastHeard.set(event.view.id, viewOutput(core, event.view));
    if (event.type === 'view_closed') lastHeard.delete(event.view.id);
  });
  const interactive = (type: string, user: string, body: Dict) =>
    courier.send({ kind: 'interactive', type, user, body });
  const current = (view: ViewRecord) => core.state.views[view.id];
  const showTrouble = (view: ViewRecord) => {
    const shown = current(view);
    if (!shown) return;
    shown.trouble = TROUBLE;
    core.feed.emit({ type: 'view_touched', view: shown });
  };
  const slackbot = (user: string, channel: string, text: string) =>
    postMessage(core, { channel, text, blocks: [], byBot: false, bySlack: true, ephemeralTo: user });

  return {
    async command(user, command, text, channel) {
      if (core.state.people[user]?.teamId !== core.state.team.id) {
        slackbot(user, channel, `${command} is not a valid command.`);
        return null;
      }
      const body = payloads.commandBody(core, user, command, text, channel);
      const delivery = await courier.send({ kind: 'slash_commands', type: 'command', user, body });
      if (delivery.failure)
        slackbot(user, channel, `${command} failed with the error "${failureName(delivery.failure)}"`);
      else if (!showCommandAck(core, user, channel, delivery.ack))
        slackbot(user, channel, `${command} failed with the error "invalid_command_response"`);
      return delivery;
    },
    enter(view, blockId, actionId, value) {
      const shown = current(view);
      const input = shown?.inputs[inputKey(blockId, actionId)];
      if (!shown || !input) throw new Error(`No input ${blockId}/${actionId} in the open view`);
      // A new record, not a changed one: a person's touch must not alter what an update carries over elsewhere.
      shown.inputs[inputKey(blockId, actionId)] = { ...input, value, isUpdatePreset: false };
      delete shown.errors[blockId];
      core.feed.emit({ type: 'view_touched', view: shown });
    },
    async actInView(view, blockId, element, value) {
      const shown = current(view) ?? view;
      const body = payloads.viewActionBody(core, shown, payloads.actionOutput(core, blockId, element, value));
      if (current(view)) lastHeard.set(view.id, viewOutput(core, shown));
      const delivery = await interactive('block_actions', view.user, body);
      if (delivery.failure) showTrouble(view);
      else warnOfIgnoredAnswer(core, delivery);
      return delivery;
    },
    async actOnMessage(user, message, blockId, element, value) {
      const action = payloads.actionOutput(core, blockId, element, value);
      const delivery = await interactive(
        'block_actions',
        user,
        payloads.messageActionBody(core, user, message, action),
      );
      if (delivery.failure) slackbot(user, message.channel, TROUBLE);
      else warnOfIgnoredAnswer(core, delivery);
      return delivery;
    },
    async shortcut(user, callbackId, message) {
      const type = message ? 'message' : 'global';
      const isThere = core.settings.shortcuts.some((known) => known.callbackId === callbackId && known.type === type);
      if (!isThere || core.state.people[user]?.teamId !== core.state.team.id)
        throw new Error(`Slack offers ${user} no ${type} shortcut ${callbackId}`);
      const delivery = message
        ? await interactive('message_action', user, payloads.messageShortcutBody(core, user, message, callbackId))
        : await interactive('shortcut', user, payloads.globalShortcutBody(core, user, callbackId));
      if (!delivery.failure) warnOfIgnoredAnswer(core, delivery);
      return delivery;
    },
    say(user, channel, text, threadTs) {
      // As Slack's client sends what somebody typed.
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return postMessage(core, { channel, text: escaped, blocks: [], byBot: false, author: user, threadTs });
    },
    async suggest(view, blockId, actionId, query) {
      const stale = lastHeard.get(view.id) ?? viewOutput(core, view);
      const body = payloads.suggestionBody(core, view, stale, blockId, actionId, query);
      const delivery = await interactive('block_suggestion', view.user, body);
      if (delivery.failure) return [];
      return guarded(() => offered(requireOptions(core, delivery.ack, 'ack of block_suggestion'))) ?? [];
    },
    async submit(view) {
      const shown = current(view);
      if (!shown) throw new Error('The view is no longer open');
      shown.errors = {};
      shown.trouble = null;
      const delivery = await interactive('view_submission', view.user, payloads.submissionBody(core, shown));
      if (delivery.failure || guarded(() => applySubmitAck(core, shown, delivery.ack)) === undefined) showTrouble(view);
      return delivery;
    },
    async close(user, all) {
      const stack = stackOf(core, user);
      const top = stack.at(-1);
      if (!top) throw new Error('No modal is open');
      const clears = all || top.clearOnClose;
      closeFrom(core, user, clears ? 0 : stack.length - 1);
      if (!top.notifyOnClose) return null;
      return interactive('view_closed', user, payloads.closedBody(core, top, clears));
    },
    openHome: (user, tab) => sendEvent('app_home_opened', payloads.homeOpenedEvent(core, user, tab), user),
    event: (type, event) => sendEvent(type, event, null),
  };

  async function sendEvent(type: string, event: Dict, user: string | null): Promise<Delivery | null> {
    if (!core.settings.events.includes(type)) return null;
    return courier.send({ kind: 'events_api', type, user, body: payloads.eventBody(core, { ...event, type }) });
  }
}

function failureName(failure: string): string {
  return failure.startsWith('http_') ? 'dispatch_unknown_error' : failure;
}

/** undefined when what the app sent was refused (and recorded). */
function guarded<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

function isNothing(ack: unknown): boolean {
  return ack === undefined || ack === null || ack === '' || (isDict(ack) && Object.keys(ack).length === 0);
}

function warnOfIgnoredAnswer(core: Core, { ack, type }: Delivery): void {
  if (!isNothing(ack))
    violate(core, 'an acknowledgement with content, which Slack ignores here', `ack of ${type}`, ack);
}

function showCommandAck(core: Core, user: string, channel: string, ack: unknown): boolean {
  if (isNothing(ack)) return true;
  const content = guarded(() => requireContent(core, isDict(ack) ? ack : { text: ack }, 'ack of command'));
  if (!content) return false;
  const isPublic = textAt(ack, 'response_type') === 'in_channel';
  postMessage(core, { ...content, channel, ...(isPublic ? {} : { ephemeralTo: user }) });
  return true;
}

function offered(answer: Dict): Dict[] {
  return [
    ...dictsAt(answer, 'options'),
    ...dictsAt(answer, 'option_groups').flatMap((group) => dictsAt(group, 'options')),
  ];
}

/** What a submitted view becomes. Throws Refused when Slack would not take the answer. */
function applySubmitAck(core: Core, view: ViewRecord, ack: unknown): true {
  const where = 'ack of view_submission';
  const refuse = (what: string): never => {
    violate(core, what, where, ack);
    throw new Refused('invalid_ack');
  };
  const height = heightOf(core, view);
  // Closed meanwhile (by the person, or by another answer): nothing to change.
  const isOpen = height >= 0;
  if (isNothing(ack)) {
    if (isOpen) closeFrom(core, view.user, height);
    return true;
  }
  const action = textAt(ack, 'response_action');
  switch (action) {
    case 'clear':
      closeFrom(core, view.user, 0);
      return true;
    case 'update': {
      const next = requireView(core, dictAt(ack, 'view'), 'modal', where);
      if (isOpen) updateView(core, core.state.views[view.id] ?? view, next);
      return true;
    }
    case 'push': {
      const next = requireView(core, dictAt(ack, 'view'), 'modal', where);
      if (isOpen) pushModal(core, view.user, next);
      return true;
    }
    case 'errors': {
      const errors = dictAt(ack, 'errors') ?? refuse('errors must be an object');
      const inputs = view.blocks.filter((block) => block['type'] === 'input').map((block) => block['block_id']);
      const unknown = Object.keys(errors).filter((key) => !inputs.includes(key));
      if (unknown.length > 0) refuse(`errors for what is no input block of the submitted view: ${unknown.join(', ')}`);
      if (
        Object.keys(errors).length === 0 ||
        Object.values(errors).some((text) => typeof text !== 'string' || text === '')
      )
        refuse('errors must be sentences');
      const shown = core.state.views[view.id];
      if (!shown) return true;
      shown.errors = Object.fromEntries(Object.entries(errors).map(([key, text]) => [key, String(text)]));
      core.feed.emit({ type: 'view_touched', view: shown });
      return true;
    }
    default:
      return refuse(`unknown response_action: ${String(action)}`);
  }
}
