import type { ApiCall, Delivery, Message, ViewRecord, Violation } from './types.ts';

export type SlackEvent =
  | { type: 'message_posted' | 'message_edited' | 'message_deleted'; message: Message }
  | { type: 'view_opened' | 'view_updated' | 'view_closed' | 'home_published'; view: ViewRecord }
  /** What a person changed, or what Slack shows on it (errors, trouble); the app did not render anew. */
  | { type: 'view_touched'; view: ViewRecord }
  | { type: 'delivery_sent' | 'delivery_settled'; delivery: Delivery }
  | { type: 'api_call' | 'api_answered'; call: ApiCall }
  | { type: 'violation'; violation: Violation }
  | { type: 'world_changed'; what: string }
  | { type: 'socket_opened' | 'socket_closed'; connections: number };

export type Listener = (event: SlackEvent) => void;

export interface Feed {
  emit: (event: SlackEvent) => void;
  /** Returns what stops listening. */
  on: (listener: Listener) => () => void;
  /** Ends by itself when the server closes. */
  stream: () => AsyncGenerator<SlackEvent, void>;
  /** Called once, when the server closes; returns what forgets it. */
  onEnd: (end: () => void) => () => void;
  close: () => void;
}

export function createFeed(): Feed {
  const listeners = new Set<Listener>();
  const enders = new Set<() => void>();
  const on = (listener: Listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  const onEnd = (end: () => void) => {
    enders.add(end);
    return () => {
      enders.delete(end);
    };
  };
  return {
    on,
    onEnd,
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    async *stream() {
      const queue: SlackEvent[] = [];
      let wake: () => void = () => {};
      let ended = false;
      const stop = on((event) => {
        queue.push(event);
        wake();
      });
      const end = () => {
        ended = true;
        wake();
      };
      const forget = onEnd(end);
      try {
        for (;;) {
          for (let next = queue.shift(); next; next = queue.shift()) yield next;
          if (ended) return;
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          await promise;
        }
      } finally {
        stop();
        forget();
      }
    },
    close() {
      for (const end of enders) end();
      listeners.clear();
    },
  };
}
