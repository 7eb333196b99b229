import { randomUUID } from 'node:crypto';
import { within } from '../../../src/purchasing/ports/clock.ts';
import { type Core, violate } from '../core.ts';
import type { Dict } from '../json.ts';
import { parseJson } from '../json.ts';
import type { Delivery, DeliveryKind } from '../types.ts';
import { challengeIn, encode, type HttpAnswer, post, signed } from './http.ts';
import type { Sockets } from './socket.ts';

export interface Sending {
  kind: DeliveryKind;
  type: string;
  user: string | null;
  body: Dict;
}

export interface Forgery {
  kind?: DeliveryKind;
  /** An object is encoded as Slack would; a string is sent as it is. */
  body: Dict | string;
  contentType?: string;
  /** 'right' signs with the real secret, 'wrong' with another; any other text is the header itself; null: none. */
  signature?: 'right' | 'wrong' | (string & {}) | null;
  /** Seconds from now: −301 is stale, +600 lies in the future. */
  skewSeconds?: number;
  headers?: Record<string, string>;
}

export interface Courier {
  /** Where events go over HTTP; null: over the socket. */
  eventsUrl: string | null;
  send: (sending: Sending) => Promise<Delivery>;
  /** The same envelope or body once more, as Slack does when an answer got lost. Its answer is recorded, not applied. */
  again: (delivery: Delivery, retry?: { num?: number; reason?: string }) => Promise<Delivery>;
  forge: (forgery: Forgery) => Promise<HttpAnswer>;
  /** `url_verification`: whether this URL gives a signed challenge back in time. */
  verifies: (url: string) => Promise<boolean>;
}

export function createCourier(core: Core, sockets: Sockets, closing: AbortSignal): Courier {
  const courier: Courier = {
    eventsUrl: null,
    send: (sending) => dispatch(newDelivery(sending), {}),
    again(delivery, { num = delivery.retryNum + 1, reason = 'timeout' } = {}) {
      const { kind, type, user, body, envelopeId } = delivery;
      return dispatch({ ...newDelivery({ kind, type, user, body }), envelopeId, retryNum: num }, { reason });
    },
    forge({ kind = 'interactive', body, contentType, signature = 'right', skewSeconds = 0, headers = {} }) {
      if (courier.eventsUrl === null) throw new Error('Forging needs an events URL (HTTP mode)');
      const encoded =
        typeof body === 'string' ? { body, contentType: 'application/x-www-form-urlencoded' } : encode(kind, body);
      const timestamp = Math.floor(Date.now() / 1000) + skewSeconds;
      const secret = signature === 'wrong' ? `${core.tokens.signingSecret}-other` : core.tokens.signingSecret;
      const honest = signed(secret, { ...encoded, ...(contentType ? { contentType } : {}) }, timestamp);
      const all = { ...honest.headers, ...headers };
      if (signature === null) delete all['x-slack-signature'];
      else if (signature !== 'right' && signature !== 'wrong') all['x-slack-signature'] = signature;
      return post(courier.eventsUrl, { body: encoded.body, headers: all }, closing);
    },
    async verifies(url) {
      const challenge = core.ids.random();
      const body = JSON.stringify({ token: core.tokens.verification, challenge, type: 'url_verification' });
      const limit = AbortSignal.any([closing, AbortSignal.timeout(core.settings.ackLimitMs)]);
      const request = signed(core.tokens.signingSecret, { body, contentType: 'application/json' });
      const answer = await post(url, request, limit).catch(() => undefined);
      return answer?.status === 200 && challengeIn(answer) === challenge;
    },
  };

  const newDelivery = ({ kind, type, user, body }: Sending): Delivery => ({
    id: core.ids.next('DLV'),
    kind,
    type,
    user,
    // What was sent must not change with the world afterwards.
    body: structuredClone(body),
    via: courier.eventsUrl === null ? 'socket' : 'http',
    sentAt: core.now(),
    envelopeId: courier.eventsUrl === null ? randomUUID() : null,
    retryNum: 0,
    ackMs: null,
    ack: undefined,
    failure: null,
  });

  const dispatch = async (delivery: Delivery, { reason }: { reason?: string }): Promise<Delivery> => {
    core.deliveries.push(delivery);
    core.feed.emit({ type: 'delivery_sent', delivery });
    const { ackLimitMs } = core.settings;
    const start = core.clock.monotonic();
    const closed = Promise.withResolvers<string>();
    const onClose = () => closed.resolve('closed');
    closing.addEventListener('abort', onClose, { once: true });
    const settle = (ack: unknown) => {
      delivery.ackMs = Math.round(core.clock.monotonic() - start);
      delivery.ack = ack;
    };
    const arrival = delivery.via === 'http' ? overHttp(delivery, reason, settle) : overSocket(delivery, reason, settle);
    const failure = await within(core.clock, ackLimitMs, Promise.race([arrival, closed.promise]), 'operation_timeout');
    closing.removeEventListener('abort', onClose);
    delivery.failure = failure;
    if (failure && delivery.envelopeId) sockets.giveUp(delivery.envelopeId);
    if (failure === 'operation_timeout' && !core.settings.allowLateAck)
      violate(core, `not acknowledged within ${ackLimitMs} ms`, delivery.type, delivery.body);
    core.feed.emit({ type: 'delivery_settled', delivery });
    return delivery;
  };

  const overSocket = (delivery: Delivery, reason: string | undefined, settle: (ack: unknown) => void) => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const { kind, envelopeId, body, retryNum } = delivery;
    const isEvent = kind === 'events_api';
    const envelope = {
      envelope_id: envelopeId,
      type: kind,
      payload: body,
      accepts_response_payload: !isEvent,
      ...(isEvent || retryNum > 0 ? { retry_attempt: retryNum, retry_reason: reason ?? '' } : {}),
    };
    const sent = sockets.send(envelope, (ack) => {
      settle(ack);
      resolve(null);
    });
    if (!sent) resolve('dispatch_failed');
    return promise;
  };

  const overHttp = async (delivery: Delivery, reason: string | undefined, settle: (ack: unknown) => void) => {
    const { body, headers: plain } = signed(core.tokens.signingSecret, encode(delivery.kind, delivery.body));
    const headers = {
      ...plain,
      ...(delivery.retryNum > 0
        ? { 'x-slack-retry-num': String(delivery.retryNum), 'x-slack-retry-reason': reason ?? 'http_timeout' }
        : {}),
    };
    try {
      const answer = await post(courier.eventsUrl ?? '', { body, headers }, closing);
      if (answer.status !== 200) return `http_${answer.status}`;
      settle(readAck(answer));
      return null;
    } catch {
      return 'dispatch_failed';
    }
  };
  return courier;
}

function readAck({ contentType, text }: HttpAnswer): unknown {
  if (text === '') return undefined;
  const parsed = contentType.startsWith('application/json') ? parseJson(text) : undefined;
  return parsed?.ok ? parsed.value : { text };
}
