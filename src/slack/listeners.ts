import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  Context,
  GlobalShortcut,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  types,
  ViewSubmitAction,
} from '@slack/bolt';
import type { BalanceAlerts } from '../purchasing/balance-alerts.ts';
import type { Batches } from '../purchasing/batches.ts';
import type { DeskStatus } from '../purchasing/desk-status.ts';
import type { Reminding } from '../purchasing/end-reminders.ts';
import type { FailedClicks } from '../purchasing/failed-clicks.ts';
import type { HomePages } from '../purchasing/home-pages.ts';
import type { Importing } from '../purchasing/importing.ts';
import type { OrderBook } from '../purchasing/order-book.ts';
import type { Charts } from '../purchasing/ports/charts.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Drafts } from '../purchasing/ports/drafts.ts';
import type { Files } from '../purchasing/ports/files.ts';
import type { LedgerReads } from '../purchasing/ports/ledger.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Messenger } from '../purchasing/ports/messenger.ts';
import type { Purchasing } from '../purchasing/purchasing.ts';
import type { SavedBaskets } from '../purchasing/saved-baskets.ts';
import type { Spending } from '../purchasing/spending.ts';
import type { Talk } from '../purchasing/talk.ts';
import { afterCrowd } from '../turns.ts';
import { Answer, type Answering } from './answer.ts';

/** What commands and views work with. */
export interface HandlerContext {
  readonly purchasing: Purchasing;
  readonly batches: Batches;
  readonly talk: Talk;
  readonly orderBook: OrderBook;
  readonly reminding: Reminding;
  readonly balanceAlerts: BalanceAlerts;
  readonly homePages: HomePages;
  readonly importing: Importing;
  readonly savedBaskets: SavedBaskets;
  readonly spending: Spending;
  /** To look up what is shown; whatever changes goes through the use cases. */
  readonly ledger: LedgerReads;
  /** How the bot stands at this moment. */
  readonly deskStatus: () => Promise<DeskStatus>;
  readonly messenger: Messenger;
  readonly files: Files;
  readonly charts: Charts;
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: () => string;
}

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type ShortcutArgs = SlackShortcutMiddlewareArgs<GlobalShortcut | MessageShortcut> & AllMiddlewareArgs;
export type SubmitArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type SuggestArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;

/** Commands and views register their handlers here, once, at start. */
export interface Listeners {
  command(name: string, handle: (args: CommandArgs) => Promise<void>): void;
  action(actionId: string, handle: (args: ActionArgs) => Promise<void>): void;
  shortcut(callbackId: string, handle: (args: ShortcutArgs) => Promise<void>): void;
  submit(callbackId: string, handle: (args: SubmitArgs) => Promise<void>): void;
  suggest(actionId: string, handle: (args: SuggestArgs) => Promise<void>): void;
  /** @param handle is given the Slack user id of whoever has opened their Home tab */
  homeOpened(handle: (user: string) => Promise<void>): void;
}

type CommandAnswer = Parameters<CommandArgs['ack']>[0];
type SubmitAnswer = Parameters<SubmitArgs['ack']>[0];
type SuggestAnswer = Parameters<SuggestArgs['ack']>[0];

/** What people are told when a handler fails or is late. */
export interface Apologies {
  readonly sentence: (reference: string, error: unknown, listener: 'submit' | 'other') => string;
  /** What a submitted view shows instead. */
  readonly view: (sentence: string) => types.ModalView;
  /** What a submitted view shows while its answer is still awaited. */
  readonly lateView: () => types.ModalView;
  /** The handler's answer as a view, to be shown in place of {@link lateView}. */
  readonly answerView: (answer: SubmitAnswer) => types.ModalView;
  /** Privately, after an ack. */
  readonly tell: (args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs, sentence: string) => Promise<void>;
}

/** How a delivery was acknowledged: in time, with a word that it is late, or with an apology. */
export type Acked = (kind: ListenerKind, outcome: 'in_time' | 'late' | 'failed', ms: number) => void;
type ListenerKind = 'command' | 'action' | 'shortcut' | 'submit' | 'suggest';

export interface ListenersDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly ackWithinMs: number;
  readonly newReference: () => string;
  readonly apologies: Apologies;
  /** Instead of Bolt's own, so that every call is heard. */
  readonly client: AllMiddlewareArgs['client'];
  readonly acked: Acked;
  /** The id of what this person did, which each delivery of it has. */
  readonly clickOf: (args: CommandArgs | ActionArgs | ShortcutArgs | SubmitArgs) => string;
  readonly failedClicks: FailedClicks;
  /** Adds these fields to every line that `work` logs. */
  readonly inScope: (fields: Scope, work: () => Promise<void>) => Promise<void>;
}

/** What a delivery is about, for the log. */
interface Scope {
  readonly listener: string;
  readonly user: string;
  readonly purchase?: string;
  readonly retry?: number;
}

/** One delivery of Slack's: its fields for the log, how it is acknowledged, and how the person is told of a failure. */
interface Delivery<R> extends Answering<R> {
  readonly kind: ListenerKind;
  /** Undefined where nothing can come of it. */
  readonly click: (() => string) | undefined;
  readonly scope: Scope;
  /** The ack when the handler fails before its own. */
  readonly broken: (sentence: string) => R | undefined;
  /** Tells the person of a failure after the ack, or when acks of this kind carry no text. */
  readonly tell: (sentence: string) => Promise<void>;
  readonly ackHasWords: boolean;
}

/**
 * Registers handlers on Bolt. Every delivery is acknowledged in time, and the person is told when a handler fails, with a reference
 * that is in the log too.
 */
export function listenersOn(
  app: App,
  deps: ListenersDeps,
): Listeners & {
  /** Resolves when every handler that has begun has ended. */
  readonly ended: () => Promise<void>;
} {
  const { apologies, client, clickOf, log } = deps;
  const running = new Set<Promise<void>>();
  const track = (listening: Promise<void>): Promise<void> => {
    running.add(listening);
    return listening.finally(() => running.delete(listening));
  };
  const listen = async <R>(
    { retryNum = 0 }: Context,
    delivery: Delivery<R>,
    handle: (ack: Answering<R>['ack']) => Promise<void>,
  ) => {
    const scope = { ...delivery.scope, ...(retryNum > 0 && { retry: retryNum }) };
    await track(deps.inScope(scope, () => answered(deps, delivery, handle)));
  };

  // Bolt asks each of its listeners, at every delivery, whether it is meant: there is one of each kind, which knows by the id.
  const actions = new Map<string, (args: ActionArgs) => Promise<void>>();
  const shortcuts = new Map<string, (args: ShortcutArgs) => Promise<void>>();
  const submits = new Map<string, (args: SubmitArgs) => Promise<void>>();
  const suggests = new Map<string, (args: SuggestArgs) => Promise<void>>();
  app.action<BlockAction>({ type: 'block_actions' }, async (args) => actions.get(args.action.action_id)?.(args));
  app.shortcut<GlobalShortcut | MessageShortcut>({}, async (args) => shortcuts.get(args.shortcut.callback_id)?.(args));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, async (args) => submits.get(args.view.callback_id)?.(args));
  app.options<'block_suggestion'>({ type: 'block_suggestion' }, async (args) =>
    suggests.get(args.options.action_id)?.(args),
  );

  return {
    async ended() {
      await Promise.allSettled(running);
    },
    command: (name, handle) =>
      app.command(name, (args) => {
        const tell = (sentence: string) => apologies.tell({ ...args, client }, sentence);
        const delivery: Delivery<CommandAnswer> = {
          kind: 'command',
          click: () => clickOf(args),
          scope: { listener: name, user: args.body.user_id },
          ack: args.ack,
          late: () => undefined,
          catchUp: async (answer) => {
            if (answer !== undefined) await tell(typeof answer === 'string' ? answer : (answer.text ?? ''));
          },
          broken: (text) => ({ response_type: 'ephemeral', text }),
          tell,
          ackHasWords: true,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, client, ack }));
      }),
    action: (actionId, handle) =>
      actions.set(actionId, (args) => {
        const delivery: Delivery<void> = {
          kind: 'action',
          click: () => clickOf(args),
          scope: { listener: actionId, user: args.body.user.id, ...purchaseOn(args) },
          ack: args.ack,
          late: () => undefined,
          catchUp: async () => {},
          broken: () => undefined,
          tell: (sentence) => apologies.tell({ ...args, client }, sentence),
          ackHasWords: false,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, client, ack }));
      }),
    shortcut: (callbackId, handle) =>
      shortcuts.set(callbackId, (args) => {
        const delivery: Delivery<void> = {
          kind: 'shortcut',
          click: () => clickOf(args),
          scope: { listener: callbackId, user: args.body.user.id },
          ack: args.ack,
          late: () => undefined,
          catchUp: async () => {},
          broken: () => undefined,
          tell: (sentence) => apologies.tell({ ...args, client }, sentence),
          ackHasWords: false,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, client, ack }));
      }),
    submit: (callbackId, handle) =>
      submits.set(callbackId, (args) => {
        const update = (view: types.ModalView) => ({ response_action: 'update' as const, view });
        const delivery: Delivery<SubmitAnswer> = {
          kind: 'submit',
          click: () => clickOf(args),
          scope: { listener: callbackId, user: args.body.user.id },
          ack: args.ack,
          late: () => update(apologies.lateView()),
          catchUp: async (answer) => {
            const view = apologies.answerView(answer);
            await client.views
              .update({ view_id: args.view.id, view })
              .catch((err: unknown) => log.warn({ err }, 'an answer that came late could not be shown'));
          },
          broken: (sentence) => update(apologies.view(sentence)),
          tell: (sentence) => apologies.tell({ ...args, client }, sentence),
          ackHasWords: true,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, client, ack }));
      }),
    suggest: (actionId, handle) =>
      suggests.set(actionId, (args) => {
        const delivery: Delivery<SuggestAnswer> = {
          kind: 'suggest',
          click: undefined,
          scope: { listener: actionId, user: args.body.user.id },
          ack: args.ack,
          late: () => ({ options: [] }),
          catchUp: async () => {},
          broken: () => ({ options: [] }),
          tell: async () => {},
          ackHasWords: false,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, client, ack }));
      }),
    homeOpened: (handle) =>
      // Bolt acknowledges events; opened once more, it is published once more.
      app.event('app_home_opened', async ({ event: { user, tab } }) => {
        if (tab !== 'home') return;
        const scope = { listener: 'app_home_opened', user };
        await track(deps.inScope(scope, () => handle(user)));
      }),
  };
}

/** Buttons of messages carry the id of their purchase. */
function purchaseOn({ action }: ActionArgs): { readonly purchase?: string } {
  const value = 'value' in action ? action.value : undefined;
  return value?.startsWith('P-') ? { purchase: value } : {};
}

/** Deliveries so far. */
let delivered = 0;

/** Runs a handler: one ack in time, and a sentence for the person if it fails. */
async function answered<R>(
  { log, clock, ackWithinMs, newReference, apologies, acked, failedClicks }: ListenersDeps,
  delivery: Delivery<R>,
  handle: (ack: Answering<R>['ack']) => Promise<void>,
): Promise<void> {
  const quietly = (told: Promise<unknown>) =>
    told.catch((err: unknown) => log.warn({ err }, 'the person could not be told that a listener failed'));
  const inTime = async (awaited: Answer<R>) => {
    if (!(await awaited.inTime(clock, ackWithinMs))) log.warn({}, 'a listener takes longer than Slack waits');
  };
  delivered += 1;
  const began = clock.monotonic();
  let how: 'in_time' | 'late' | 'failed' = 'late';
  const answer = new Answer({
    ...delivery,
    ack: (response?: R) => {
      acked(delivery.kind, how, clock.monotonic() - began);
      return delivery.ack(response);
    },
  });
  const work = () =>
    handle(async (response) => {
      how = 'in_time';
      await answer.give(response);
      // Acks first: whoever clicks in the same moment has theirs before anything more is done for this one.
      await afterCrowd(() => delivered);
    });
  let late: Promise<unknown> | undefined;
  try {
    const click = delivery.click?.();
    const handled = click === undefined ? work() : failedClicks.handle(click, work);
    // Most acks are given by now, and need nobody to wait for them.
    if (!answer.wasGiven) late = quietly(inTime(answer));
    await handled;
  } catch (err) {
    const reference = newReference();
    log.error({ reference, err }, 'a listener failed');
    const sentence = apologies.sentence(reference, err, delivery.kind === 'submit' ? 'submit' : 'other');
    const { wasGiven } = answer;
    if (!wasGiven) how = 'failed';
    if (!wasGiven) await quietly(answer.give(delivery.broken(sentence)));
    if (wasGiven || !delivery.ackHasWords) await quietly(delivery.tell(sentence));
  } finally {
    answer.end();
    await late;
  }
}
