import { clientErrors } from './client-checks.ts';
import type { Core } from './core.ts';
import {
  confirmTitle,
  findButton,
  findInput,
  findOption,
  findTick,
  type Label,
  matches,
  only,
  quote,
  type Which,
} from './find.ts';
import { inputKey, type Placed, stateValue } from './inputs.ts';
import type { Interactions } from './interactions.ts';
import { type Dict, dictAt, dictsAt, textAt, textOf } from './json.ts';
import { allOptions } from './limits/text.ts';
import { actingId, channelsOf } from './people.ts';
import { canSee, type Screen, screenOf } from './screen.ts';
import { renderText } from './text.ts';
import type { Delivery, Message, StateValue, ViewRecord } from './types.ts';
import { waitOnScreen } from './wait.ts';
import { directWith } from './world.ts';

const TYPED = ['plain_text_input', 'number_input'];
const ASKING = ['external_select', 'multi_external_select'];
const MANY = ['multi_static_select', 'multi_external_select'];
const CHOSEN = ['static_select', 'external_select', 'users_select', ...MANY];

/** Only how soon a test gives up: others may be at work on the same machine. */
export const PATIENCE_MS = 45_000;

/** A message by its words (the newest that has them), or the very copy somebody still has on the screen. */
export type MessageMatch = Label | Message | ((message: Message, text: string) => boolean);

export interface In extends Which {
  /** Where to look: the open modal unless said. */
  in?: 'modal' | 'home';
}

export interface Pressing extends In {
  /** false: says no in the button's confirmation dialog, so nothing is sent. */
  confirm?: boolean;
}

export interface Submitted {
  /** false: Slack's client refused, the app heard nothing. */
  sent: boolean;
  delivery: Delivery | null;
  /** By label: what stands under the inputs now. */
  errors: Record<string, string>;
  /** What stands over the form when Slack could not take the app's answer: none, an invalid view, errors for a block that the form has not. */
  trouble: string | null;
  /** The top of the modal afterwards. */
  view: ViewRecord | undefined;
}

/** One person in front of Slack: finds things by what can be read, and complains with what is on the screen. */
export interface Hands {
  readonly user: string;
  readonly screen: Screen;
  /** Resolves once acknowledged (or given up); null when Slack itself refused the command. */
  command(command: string, text?: string, options?: { channel?: string }): Promise<Delivery | null>;
  /** A text, a pattern, or anything that is truthy once it is there. Rejects with the screen's text. */
  waitFor(what: Label, options?: { timeout?: number }): Promise<Screen>;
  waitFor<T>(what: (screen: Screen) => T | undefined | null | false, options?: { timeout?: number }): Promise<T>;
  type(label: Label, value: string, options?: In & { enter?: boolean }): Promise<Delivery | null>;
  /** A select that takes several keeps what was picked before; `off` takes the option out of it again. */
  pick(label: Label, option: Label, options?: In & { off?: boolean }): Promise<Delivery | null>;
  tick(label: Label, options?: In & { off?: boolean }): Promise<Delivery | null>;
  /** The texts that the type-ahead offers for this query. */
  suggest(label: Label, query: string, options?: In): Promise<string[]>;
  press(button: Label, options?: Pressing): Promise<Delivery | null>;
  pressOn(message: MessageMatch, button: Label, options?: Which & { confirm?: boolean }): Promise<Delivery | null>;
  /** Chooses from a menu on a message, found by what stands in it: the app hears at once. */
  pickOn(message: MessageMatch, label: Label, option: Label): Promise<Delivery>;
  /** Runs one of the manifest's shortcuts by its name; with `on`, from that message's menu. */
  shortcut(name: Label, options?: { on?: MessageMatch }): Promise<Delivery | null>;
  /** Writes a message; the app hears nothing of it. */
  say(text: string, options?: { channel?: string; thread?: Pick<Message, 'ts'> }): Message;
  /** `force`: sends although Slack's client would refuse. */
  submit(expectedLabel?: Label, options?: { force?: boolean }): Promise<Submitted>;
  /** The close button; `all`: the cross. */
  close(options?: { all?: boolean }): Promise<Delivery | null>;
  /** What stands there is `screen.home`; its buttons: `press(label, { in: 'home' })`. */
  openHome(tab?: 'home' | 'messages'): Promise<Delivery | null>;
  /** The newest message with these words, as it is now. */
  message(match: MessageMatch): Message;
  read(thing: ViewRecord | Message): string;
}

export function createHands(core: Core, interactions: Interactions, user: string): Hands {
  /** What the type-ahead offered last, per input. */
  const offers = new Map<string, Dict[]>();
  const screen = () => screenOf(core, user);
  const shown = () => screen().text();
  const awake = () => {
    const person = core.state.people[user];
    if (!person) throw new Error(`There is no person ${user}`);
    if (person.deleted) throw new Error(`${user} is deactivated and cannot act`);
  };
  const placeOf = (channel: string | undefined): string => {
    const mine = channelsOf(core.state, user);
    const place = channel ?? mine[0]?.id ?? directWith(core, user);
    if (place === core.state.directs[user] || mine.some(({ id }) => id === place)) return place;
    throw new Error(`${user} is not in ${place}`);
  };
  const viewIn = ({ in: place = 'modal' }: In): ViewRecord => {
    awake();
    const view = place === 'home' ? screen().home : screen().modal;
    if (!view) throw new Error(`No ${place} is open.\n${shown()}`);
    return view;
  };
  const put = async (view: ViewRecord, placed: Placed, value: StateValue, tells: boolean): Promise<Delivery | null> => {
    interactions.enter(view, placed.blockId, placed.actionId, value);
    return tells ? interactions.actInView(view, placed.blockId, placed.element, value) : null;
  };
  /** Inputs keep silent unless told to dispatch; elements elsewhere always speak. */
  const tells = ({ block }: Placed) => block['type'] !== 'input' || block['dispatch_action'] === true;
  const offerKey = (view: ViewRecord, { blockId, actionId }: Placed) => `${view.id} ${inputKey(blockId, actionId)}`;
  const ask = async (view: ViewRecord, placed: Placed, query: string): Promise<Dict[]> => {
    const least = Number(placed.element['min_query_length'] ?? 3);
    if (query.length < least)
      throw new Error(`This input asks the app only from ${least} characters on, not for "${query}"`);
    const options = await interactions.suggest(view, placed.blockId, placed.actionId, query);
    offers.set(offerKey(view, placed), options);
    return options;
  };
  const peopleToChoose = () =>
    Object.values(core.state.people)
      .filter(({ deleted }) => !deleted)
      .map((person) => ({
        text: { type: 'plain_text', text: person.name },
        value: actingId(core.state, person.id),
      }));
  const optionsFor = async (view: ViewRecord, placed: Placed, option: Label): Promise<unknown[]> => {
    if (placed.type === 'users_select') return peopleToChoose();
    if (!ASKING.includes(placed.type)) return allOptions(placed.element);
    const known = offers.get(offerKey(view, placed)) ?? [];
    const isThere = known.some((entry) => matches(option, textOf(entry['text'])));
    return isThere || typeof option !== 'string' ? known : ask(view, placed, option);
  };
  const message = (match: MessageMatch): Message => {
    if (typeof match === 'object' && 'ts' in match) {
      if (canSee(core, user, match)) return match;
      throw new Error(`${user} cannot see the message ${match.ts} in ${match.channel}`);
    }
    const fits = (found: Message) => {
      const text = renderText(found, core.state);
      if (typeof match === 'function') return match(found, text);
      return typeof match === 'string' ? text.includes(match) : match.test(text);
    };
    const found = screen().messages.findLast(fits);
    const name = typeof match === 'function' ? 'that fits' : `with ${quote(match as Label)}`;
    if (!found) throw new Error(`There is no message ${name}.\n${shown()}`);
    return found;
  };
  const afterSubmit = (
    sent: boolean,
    delivery: Delivery | null,
    errors: Record<string, string>,
    blocks: Dict[],
  ): Submitted => ({
    sent,
    delivery,
    trouble: screen().modal?.trouble ?? null,
    view: screen().modal,
    errors: Object.fromEntries(Object.entries(errors).map(([blockId, text]) => [labelOf(blocks, blockId), text])),
  });

  return {
    user,
    get screen() {
      return screen();
    },
    async command(command, text = '', { channel } = {}) {
      awake();
      return interactions.command(user, command, text, placeOf(channel));
    },
    waitFor: ((what: Label | ((now: Screen) => unknown), { timeout = PATIENCE_MS } = {}) =>
      waitOnScreen(core.feed, screen, what, timeout)) as Hands['waitFor'],
    async type(label, value, options = {}) {
      const view = viewIn(options);
      const placed = findInput(view.blocks, label, TYPED, options, shown);
      const when = dictAt(placed.element, 'dispatch_action_config')?.['trigger_actions_on'];
      const onEach = Array.isArray(when) && when.includes('on_character_entered');
      return put(view, placed, stateValue(placed.type, value), tells(placed) && (onEach || options.enter === true));
    },
    async pick(label, option, options = {}) {
      const view = viewIn(options);
      const placed = findInput(view.blocks, label, CHOSEN, options, shown);
      const before = dictsAt(view.inputs[inputKey(placed.blockId, placed.actionId)]?.value, 'selected_options');
      const from = options.off ? before : await optionsFor(view, placed, option);
      const chosen = findOption(from, option, quote(label), shown);
      if (MANY.includes(placed.type)) {
        const most = Number(placed.element['max_selected_items'] ?? Number.POSITIVE_INFINITY);
        const others = before.filter((other) => textAt(other, 'value') !== textAt(chosen, 'value'));
        if (!options.off && others.length >= most)
          throw new Error(`Slack's client takes no more than ${most} here.\n${shown()}`);
        return put(view, placed, stateValue(placed.type, options.off ? others : [...others, chosen]), tells(placed));
      }
      const value = stateValue(placed.type, placed.type === 'users_select' ? chosen['value'] : chosen);
      return put(view, placed, value, tells(placed));
    },
    async tick(label, options = {}) {
      const view = viewIn(options);
      const placed = findTick(view.blocks, label, options, shown);
      const before = dictsAt(view.inputs[inputKey(placed.blockId, placed.actionId)]?.value, 'selected_options');
      const others = before.filter((option) => textAt(option, 'value') !== textAt(placed.option, 'value'));
      return put(
        view,
        placed,
        stateValue('checkboxes', options.off ? others : [...others, placed.option]),
        tells(placed),
      );
    },
    async suggest(label, query, options = {}) {
      const view = viewIn(options);
      const placed = findInput(view.blocks, label, ASKING, options, shown);
      return (await ask(view, placed, query)).map((option) => textOf(option['text']));
    },
    async press(button, options = {}) {
      const view = viewIn(options);
      const { blockId, element } = findButton(view.blocks, button, options, shown);
      if (confirmTitle(element) !== null && options.confirm === false) return null;
      return interactions.actInView(view, blockId, element);
    },
    async pressOn(match, button, options = {}) {
      awake();
      const target = message(match);
      const { blockId, element } = findButton(
        target.blocks,
        button,
        options,
        () => `${renderText(target, core.state)}\n${shown()}`,
      );
      if (confirmTitle(element) !== null && options.confirm === false) return null;
      return interactions.actOnMessage(user, target, blockId, element);
    },
    async pickOn(match, label, option) {
      awake();
      const target = message(match);
      const reads = () => `${renderText(target, core.state)}\n${shown()}`;
      const { blockId, element, type } = findInput(target.blocks, label, ['static_select'], {}, reads);
      const chosen = findOption(allOptions(element), option, quote(label), reads);
      return interactions.actOnMessage(user, target, blockId, element, stateValue(type, chosen));
    },
    async shortcut(name, { on } = {}) {
      awake();
      const type = on === undefined ? 'global' : 'message';
      const offered = core.settings.shortcuts.filter((known) => known.type === type);
      const names = offered.map((known) => known.name).join(', ') || 'none';
      const what = `${type} shortcut ${quote(name)} (the manifest has: ${names})`;
      const chosen = only(
        offered.filter((known) => matches(name, known.name)),
        what,
        {},
        shown,
      );
      return interactions.shortcut(user, chosen.callbackId, on === undefined ? undefined : message(on));
    },
    say(text, { channel, thread } = {}) {
      awake();
      return interactions.say(user, placeOf(channel), text, thread?.ts);
    },
    async submit(expectedLabel, { force = false } = {}) {
      const view = viewIn({});
      const label = textOf(view.submit);
      if (!view.submit) throw new Error(`This modal has no submit button.\n${shown()}`);
      if (expectedLabel !== undefined && !matches(expectedLabel, label))
        throw new Error(`The submit button is "${label}", not ${quote(expectedLabel)}.\n${shown()}`);
      const refused = force ? {} : clientErrors(view);
      if (Object.keys(refused).length > 0) return afterSubmit(false, null, refused, view.blocks);
      const delivery = await interactions.submit(view);
      return afterSubmit(true, delivery, core.state.views[view.id]?.errors ?? {}, view.blocks);
    },
    async close({ all = false } = {}) {
      viewIn({});
      return interactions.close(user, all);
    },
    async openHome(tab = 'home') {
      awake();
      if (tab === 'home' && !core.settings.homeTabEnabled) throw new Error('The app has no Home tab');
      return interactions.openHome(user, tab);
    },
    message,
    read: (thing) => renderText(thing, core.state),
  };
}

function labelOf(blocks: Dict[], blockId: string): string {
  const all = blocks.filter((block) => block['block_id'] === blockId);
  return textOf(dictAt(all[0], 'label')) || blockId;
}
