import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  Context,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  types,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Log } from '../purchasing/ports/log.ts';
import { Answer, type Answering } from './answer.ts';

export type CommandArgs = SlackCommandMiddlewareArgs & AllMiddlewareArgs;
export type ActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;
export type SubmitArgs = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
export type SuggestArgs = SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs;

/** Where commands and views register what they listen to: once each, at start. */
export interface Listeners {
  command(name: string, handle: (args: CommandArgs) => Promise<void>): void;
  action(actionId: string, handle: (args: ActionArgs) => Promise<void>): void;
  submit(callbackId: string, handle: (args: SubmitArgs) => Promise<void>): void;
  suggest(actionId: string, handle: (args: SuggestArgs) => Promise<void>): void;
}

type CommandAnswer = Parameters<CommandArgs['ack']>[0];
type SubmitAnswer = Parameters<SubmitArgs['ack']>[0];
type SuggestAnswer = Parameters<SuggestArgs['ack']>[0];

/** How a person hears that something broke, or takes longer than Slack waits; drawn by the views. */
export interface Apologies {
  readonly sentence: (reference: string, error: unknown, listener: 'submit' | 'other') => string;
  /** What a submitted view shows instead. */
  readonly view: (sentence: string) => types.ModalView;
  /** What a submitted view shows while its answer is still awaited. */
  readonly lateView: () => types.ModalView;
  /** The answer of a submitted view, as a view: it came after {@link lateView}. */
  readonly answerView: (answer: SubmitAnswer) => types.ModalView;
  /** Privately, after an ack. */
  readonly tell: (args: CommandArgs | ActionArgs | SubmitArgs, sentence: string) => Promise<void>;
}

export interface ListenersDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly ackWithinMs: number;
  readonly newReference: () => string;
  readonly apologies: Apologies;
  /** Gives every line that `work` logs these fields. */
  readonly inScope: (fields: object, work: () => Promise<void>) => Promise<void>;
}

/** One delivery: who it comes from, how it is answered, and how the person hears that the listener broke. */
interface Delivery<R> extends Answering<R> {
  readonly kind: 'submit' | 'other';
  readonly scope: { readonly listener: string; readonly user: string; readonly purchase?: string };
  /** The ack where the listener broke before one. */
  readonly broken: (sentence: string) => R | undefined;
  /** Where it broke after one, or the ack of its kind has no words. */
  readonly tell: (sentence: string) => Promise<void>;
  readonly ackHasWords: boolean;
}

/**
 * Registers on Bolt, so that a listener that throws or hangs still leaves nobody looking at nothing: the person gets a private
 * sentence, for what broke with a reference that the log has too. Before the ack the sentence is the ack.
 */
export function listenersOn(
  app: App,
  deps: ListenersDeps,
): Listeners & {
  /** Resolves when every listener that has begun has ended. */
  readonly ended: () => Promise<void>;
} {
  const { apologies, log } = deps;
  const running = new Set<Promise<void>>();
  const listen = async <R>(
    { retryNum = 0 }: Context,
    delivery: Delivery<R>,
    handle: (ack: Answering<R>['ack']) => Promise<void>,
  ) => {
    const scope = { ...delivery.scope, ...(retryNum > 0 && { retry: retryNum }) };
    const listening = deps.inScope(scope, () => answered(deps, delivery, handle));
    running.add(listening);
    await listening.finally(() => running.delete(listening));
  };

  return {
    async ended() {
      await Promise.allSettled(running);
    },
    command: (name, handle) =>
      app.command(name, (args) => {
        const tell = (sentence: string) => apologies.tell(args, sentence);
        const delivery: Delivery<CommandAnswer> = {
          kind: 'other',
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
        return listen(args.context, delivery, (ack) => handle({ ...args, ack }));
      }),
    action: (actionId, handle) =>
      app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, (args) => {
        const delivery: Delivery<void> = {
          kind: 'other',
          scope: { listener: actionId, user: args.body.user.id, ...purchaseOn(args) },
          ack: args.ack,
          late: () => undefined,
          catchUp: async () => {},
          broken: () => undefined,
          tell: (sentence) => apologies.tell(args, sentence),
          ackHasWords: false,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, ack }));
      }),
    submit: (callbackId, handle) =>
      app.view<ViewSubmitAction>({ type: 'view_submission', callback_id: callbackId }, (args) => {
        const update = (view: types.ModalView) => ({ response_action: 'update' as const, view });
        const delivery: Delivery<SubmitAnswer> = {
          kind: 'submit',
          scope: { listener: callbackId, user: args.body.user.id },
          ack: args.ack,
          late: () => update(apologies.lateView()),
          catchUp: async (answer) => {
            const view = apologies.answerView(answer);
            await args.client.views
              .update({ view_id: args.view.id, view })
              .catch((err: unknown) => log.warn({ err }, 'an answer that came late could not be shown'));
          },
          broken: (sentence) => update(apologies.view(sentence)),
          tell: (sentence) => apologies.tell(args, sentence),
          ackHasWords: true,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, ack }));
      }),
    suggest: (actionId, handle) =>
      app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: actionId }, (args) => {
        const delivery: Delivery<SuggestAnswer> = {
          kind: 'other',
          scope: { listener: actionId, user: args.body.user.id },
          ack: args.ack,
          late: () => ({ options: [] }),
          catchUp: async () => {},
          broken: () => ({ options: [] }),
          tell: async () => {},
          ackHasWords: false,
        };
        return listen(args.context, delivery, (ack) => handle({ ...args, ack }));
      }),
  };
}

/** A button of a message carries the purchase that the message is about. */
function purchaseOn({ action }: ActionArgs): { readonly purchase?: string } {
  const value = 'value' in action ? action.value : undefined;
  return value?.startsWith('P-') ? { purchase: value } : {};
}

/** Runs a listener so that Slack gets one ack in time, and the person a sentence if it breaks. */
async function answered<R>(
  { log, clock, ackWithinMs, newReference, apologies }: ListenersDeps,
  delivery: Delivery<R>,
  handle: (ack: Answering<R>['ack']) => Promise<void>,
): Promise<void> {
  const quietly = (told: Promise<unknown>) =>
    told.catch((err: unknown) => log.warn({ err }, 'the person could not be told that a listener failed'));
  const answer = new Answer(delivery);
  const late = quietly(
    answer.inTime(clock, ackWithinMs).then((ok) => ok || log.warn({}, 'a listener takes longer than Slack waits')),
  );
  try {
    await handle((response) => answer.give(response));
  } catch (err) {
    const reference = newReference();
    log.error({ reference, err }, 'a listener failed');
    const sentence = apologies.sentence(reference, err, delivery.kind);
    const { wasGiven } = answer;
    if (!wasGiven) await quietly(answer.give(delivery.broken(sentence)));
    if (wasGiven || !delivery.ackHasWords) await quietly(delivery.tell(sentence));
  } finally {
    answer.end();
    await late;
  }
}
