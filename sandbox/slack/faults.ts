import type { ApiCall } from './types.ts';

/** What can go wrong with one Web API call (or with a response_url, whose method is called `response_url`). */
export type Fault =
  /** A text is sent as it is; null: without the header. */
  | { kind: 'rate_limit'; retryAfter: number | string | null }
  | { kind: 'status'; status: number }
  /** HTTP 200 with this body: the page of something in between, or an answer that lacks something. */
  | { kind: 'body'; body: string }
  | { kind: 'error'; code: string }
  /** Never answered. `after`: Slack did the work all the same. */
  | { kind: 'hang'; when: 'before' | 'after' }
  /** The connection is reset. `after`: Slack did the work, its answer is lost. */
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  /** Answered when this is settled. */
  | { kind: 'hold'; until: Promise<unknown> };

export interface FaultRule {
  /** How often it was played. */
  hits: number;
  clear: () => void;
}

export interface Faults {
  /** `times`: 1 unless said; Infinity until cleared. */
  add: (method: string, fault: Fault, rule?: { times?: number; only?: (call: ApiCall) => boolean }) => FaultRule;
  clear: (method?: string) => void;
  take: (call: ApiCall) => Fault | undefined;
}

interface Entry extends FaultRule {
  method: string;
  fault: Fault;
  left: number;
  only: (call: ApiCall) => boolean;
}

export function createFaults(): Faults {
  let entries: Entry[] = [];
  return {
    add(method, fault, { times = 1, only = () => true } = {}) {
      const entry: Entry = {
        method,
        fault,
        left: times,
        only,
        hits: 0,
        clear() {
          entries = entries.filter((other) => other !== entry);
        },
      };
      entries.push(entry);
      return entry;
    },
    clear(method) {
      entries = method === undefined ? [] : entries.filter((entry) => entry.method !== method);
    },
    take(call) {
      const entry = entries.find((e) => (e.method === call.method || e.method === '*') && e.left > 0 && e.only(call));
      if (!entry) return undefined;
      entry.left -= 1;
      entry.hits += 1;
      return entry.fault;
    },
  };
}
