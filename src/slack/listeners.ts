import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Log } from '../purchasing/ports/log.ts';

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

/** How a person hears that something broke; drawn by the views. */
export interface Apologies {
  readonly sentence: (reference: string) => string;
  /** What a submitted view shows instead. */
  readonly view: (sentence: string) => Parameters<SubmitArgs['ack']>[0];
  /** Privately, after an ack. */
  readonly tell: (args: CommandArgs | ActionArgs | SubmitArgs, sentence: string) => Promise<void>;
}

/**
 * Registers on Bolt, so that a listener that throws still leaves nobody looking at nothing: the person gets a private sentence
 * with a reference, the log the error with the same one. Before the ack the sentence is the ack.
 */
export function listenersOn(
  app: App,
  deps: { log: Log; newReference: () => string; apologies: Apologies },
): Listeners & {
  /** Resolves when every listener that has begun has ended: Bolt itself waits for none. */
  readonly ended: () => Promise<void>;
} {
  const { log, newReference, apologies } = deps;
  const running = new Set<Promise<void>>();
  const tracked = (listening: Promise<void>): Promise<void> => {
    running.add(listening);
    return listening.finally(() => running.delete(listening));
  };
  const failed = (listener: string, user: string, err: unknown): string => {
    const reference = newReference();
    log.error({ listener, user, reference, err }, 'a listener failed');
    return apologies.sentence(reference);
  };
  /** Tells whether the ack went out, or at least was tried: a second one is an error. */
  const watched = <Ack extends (...response: never[]) => Promise<void>>(ack: Ack) => {
    const state = { acked: false };
    const watching = async (...response: Parameters<Ack>) => {
      state.acked = true;
      await ack(...response);
    };
    return { state, ack: watching as Ack };
  };
  const quietly = (promise: Promise<void>) =>
    promise.catch((err: unknown) => log.warn({ err }, 'the person could not be told that a listener failed'));

  return {
    async ended() {
      await Promise.allSettled(running);
    },
    command: (name, handle) =>
      app.command(name, async (args) => {
        const { state, ack } = watched(args.ack);
        try {
          await tracked(handle({ ...args, ack }));
        } catch (error) {
          const text = failed(name, args.body.user_id, error);
          await quietly(state.acked ? apologies.tell(args, text) : args.ack({ response_type: 'ephemeral', text }));
        }
      }),
    action: (actionId, handle) =>
      app.action<BlockAction>({ type: 'block_actions', action_id: actionId }, async (args) => {
        const { state, ack } = watched(args.ack);
        try {
          await tracked(handle({ ...args, ack }));
        } catch (error) {
          const text = failed(actionId, args.body.user.id, error);
          if (!state.acked) await quietly(args.ack());
          await quietly(apologies.tell(args, text));
        }
      }),
    submit: (callbackId, handle) =>
      app.view<ViewSubmitAction>({ type: 'view_submission', callback_id: callbackId }, async (args) => {
        const { state, ack } = watched(args.ack);
        try {
          await tracked(handle({ ...args, ack }));
        } catch (error) {
          const text = failed(callbackId, args.body.user.id, error);
          await quietly(state.acked ? apologies.tell(args, text) : args.ack(apologies.view(text)));
        }
      }),
    suggest: (actionId, handle) =>
      app.options<'block_suggestion'>({ type: 'block_suggestion', action_id: actionId }, async (args) => {
        const { state, ack } = watched(args.ack);
        try {
          await tracked(handle({ ...args, ack }));
        } catch (error) {
          failed(actionId, args.body.user.id, error);
          if (!state.acked) await quietly(args.ack({ options: [] }));
        }
      }),
  };
}
