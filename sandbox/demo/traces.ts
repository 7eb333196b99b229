import type { LocalSlack } from '../slack/index.ts';
import type { ApiCall, Delivery } from '../slack/types.ts';
import type { Trace } from './wire.ts';

const KEPT = 400;

export interface Traces {
  readonly all: readonly Trace[];
  close(): void;
}

/** Every payload both ways as the inspector shows it; `changed` hears of a new one and again of its answer. */
export function recordTraces(slack: LocalSlack, changed: (trace: Trace) => void): Traces {
  const all: Trace[] = [];
  const calls = new WeakMap<ApiCall, { id: string; startedAt: number }>();
  let count = 0;

  const put = (trace: Trace) => {
    const at = all.findLastIndex(({ id }) => id === trace.id);
    if (at === -1) all.push(trace);
    else all[at] = trace;
    if (all.length > KEPT) all.shift();
    changed(trace);
  };
  const close = slack.on((event) => {
    switch (event.type) {
      case 'delivery_sent':
      case 'delivery_settled':
        put(ofDelivery(event.delivery, event.type === 'delivery_settled'));
        return;
      case 'api_call':
        count += 1;
        calls.set(event.call, { id: `call-${count}`, startedAt: performance.now() });
        put(ofCall(event.call, `call-${count}`, null));
        return;
      case 'api_answered': {
        const known = calls.get(event.call);
        if (known) put(ofCall(event.call, known.id, Math.round(performance.now() - known.startedAt)));
        return;
      }
    }
  });
  return { all, close };
}

function ofDelivery(delivery: Delivery, isSettled: boolean): Trace {
  const { id, sentAt, user, body, ack, ackMs, failure } = delivery;
  return {
    id,
    at: sentAt,
    direction: 'to_bot',
    name: nameOf(delivery),
    about: user,
    status: failure !== null ? 'failed' : isSettled ? 'ok' : 'open',
    ms: ackMs,
    note: failure,
    // A copy: the delivery is a live record.
    payload: structuredClone(body),
    answer: structuredClone(ack ?? null),
  };
}

/** `/proxy buy`, `block_actions add_country`, `view_submission buy` */
function nameOf({ type, body }: Delivery): string {
  if (type === 'command') return `${String(body['command'])} ${String(body['text'])}`.trim();
  const about = firstActionId(body) ?? callbackId(body);
  return about ? `${type} ${about}` : type;
}

function firstActionId(body: Delivery['body']): string | undefined {
  const [first] = Array.isArray(body['actions']) ? (body['actions'] as { action_id?: unknown }[]) : [];
  const id = first?.action_id ?? body['action_id'];
  return typeof id === 'string' ? id : undefined;
}

function callbackId(body: Delivery['body']): string | undefined {
  const view = body['view'] as { callback_id?: unknown } | undefined;
  return typeof view?.callback_id === 'string' ? view.callback_id : undefined;
}

function ofCall(call: ApiCall, id: string, ms: number | null): Trace {
  const refused = call.answer?.['ok'] === false ? String(call.answer['error']) : null;
  return {
    id,
    at: call.at,
    direction: 'from_bot',
    name: call.method,
    about: aboutOf(call.args),
    status: refused !== null || call.fault !== undefined ? 'failed' : ms === null ? 'open' : 'ok',
    ms,
    note: call.fault ?? refused,
    payload: call.method === 'response_url' ? readBody(call.rawBody) : structuredClone(call.args),
    answer: structuredClone(call.answer ?? null),
  };
}

function aboutOf(args: ApiCall['args']): string | null {
  const named = ['channel', 'user', 'users', 'usergroup', 'user_id'].map((name) => args[name]);
  return named.find((value) => typeof value === 'string') ?? null;
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
