import type { Dispatcher } from 'undici';

export type StopReason = 'deadline' | 'guard' | 'second_start';

/** Our own stop, at the moment the request would have started. No byte of it was written. */
export class StoppedAtStart extends Error {
  readonly stop: StopReason;
  constructor(stop: StopReason) {
    super(`the request was stopped where it would have started (${stop})`);
    this.name = 'StoppedAtStart';
    this.stop = stop;
  }
}

export type StartGate = {
  readonly signal: AbortSignal;
  /** The domain's guard. */
  mayStart(): boolean;
  /** From here on the vendor may have the request, whatever error follows. */
  onStarted(): void;
};

/**
 * Lets one request start once. undici calls `onRequestStart` when the connection stands and, in the same turn, writes the
 * head; an abort here writes nothing (held by a test on a socket). A second start, by whichever layer, is refused: the
 * error then ends the request, and its outcome stays what the first start made of it.
 */
export function oneShot(gate: StartGate): Dispatcher.DispatcherComposeInterceptor {
  let started = false;
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        const stop = whyNot();
        if (stop !== undefined) {
          controller.abort(new StoppedAtStart(stop));
          return;
        }
        started = true;
        gate.onStarted();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStarted: () => handler.onResponseStarted?.(),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });

  function whyNot(): StopReason | undefined {
    if (started) return 'second_start';
    if (gate.signal.aborted) return 'deadline';
    try {
      return gate.mayStart() ? undefined : 'guard';
    } catch {
      return 'guard'; // a guard that cannot answer is a no
    }
  }
}
