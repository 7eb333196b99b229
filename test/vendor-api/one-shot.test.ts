import { Agent, type Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { oneShot, StoppedAtStart } from '../../src/vendor-api/one-shot.ts';
import { closeAfterwards } from '../support/afterwards.ts';
import { localVendor } from './fixture.ts';

const request = { path: '/v2/orders/create', method: 'POST', body: '{}' } as const;

/** A layer such as undici's retry or redirect handlers: it dispatches the same request again. */
const sendsTwice: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  dispatch(options, {
    onResponseEnd() {
      dispatch(options, handler);
    },
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
  return true;
};

describe('one request starts once', () => {
  test('a layer that sends it again is stopped before a byte is written', async () => {
    const local = await localVendor();
    let starts = 0;
    const gate = { signal: new AbortController().signal, mayStart: () => true, onStarted: () => ++starts };
    const agent = closeAfterwards(new Agent({ pipelining: 0 }));
    const sending = agent.compose(oneShot(gate), sendsTwice).request({ origin: local.baseUrl, ...request });
    await expect(sending).rejects.toMatchObject({ name: 'StoppedAtStart', stop: 'second_start' });
    expect(local.posts).toBe(1);
    expect(starts).toBe(1);
  });

  test('when the deadline has passed it does not count as started', () => {
    const gone = new AbortController();
    gone.abort();
    const events: string[] = [];
    const gate = { signal: gone.signal, mayStart: () => true, onStarted: () => void events.push('started') };
    const controller = { abort: (reason: Error) => void events.push(reason.message) } as Dispatcher.DispatchController;
    const dispatch: Dispatcher.Dispatch = (_options, handler) => {
      handler.onRequestStart?.(controller, {});
      return true;
    };
    oneShot(gate)(dispatch)(request, {});
    expect(events).toEqual([new StoppedAtStart('deadline').message]);
  });
});
