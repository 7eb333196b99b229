/** What the local vendor can be told to do instead of what is documented. Plain data: a panel can list, send and store it. */

/** `connection` is decided before a byte is read, so before anybody knows which call it will be. */
export const ENDPOINTS = ['connection', 'balance', 'create', 'renew'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/**
 * `charge` says whether the order is carried out (balance falls, order exists) although the answer does not show it. Where
 * it may be left out, it is what the name suggests; see {@link MISBEHAVIOURS}.
 */
export type Misbehaviour =
  | { readonly name: 'as_documented' }
  | {
      readonly name: 'refuse';
      readonly code?: number;
      readonly status?: number;
      readonly message?: string;
      readonly charge?: boolean;
    }
  | { readonly name: 'time_out'; readonly charge?: boolean }
  | { readonly name: 'reset_before_answer'; readonly charge?: boolean }
  | { readonly name: 'reset_mid_answer'; readonly charge?: boolean }
  | { readonly name: 'html'; readonly status?: number; readonly charge?: boolean }
  | { readonly name: 'redirect'; readonly status?: number; readonly location?: string; readonly charge?: boolean }
  | { readonly name: 'no_order_id'; readonly charge?: boolean }
  | { readonly name: 'slow'; readonly ms?: number; readonly charge?: boolean }
  | { readonly name: 'drip'; readonly everyMs?: number; readonly charge?: boolean }
  | { readonly name: 'cut'; readonly framing?: 'length' | 'close' | 'chunked'; readonly charge?: boolean }
  | { readonly name: 'empty'; readonly status?: number; readonly charge?: boolean }
  | { readonly name: 'status'; readonly status: number; readonly charge?: boolean }
  | {
      readonly name: 'answer';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | readonly string[]>>;
      readonly body: string;
      readonly charge?: boolean;
    }
  | { readonly name: 'garbage'; readonly text?: string; readonly charge?: boolean }
  | { readonly name: 'gzip'; readonly header?: boolean; readonly charge?: boolean }
  | { readonly name: 'gzip_claimed'; readonly charge?: boolean }
  | { readonly name: 'bom'; readonly charge?: boolean }
  | {
      readonly name: 'echo_token';
      readonly form?: 'raw' | 'url' | 'base64' | 'json' | 'html' | 'hex';
      readonly before?: string;
      readonly code?: number;
      readonly charge?: boolean;
    }
  | { readonly name: 'rate_limit'; readonly retryAfter?: string; readonly code?: number; readonly charge?: boolean }
  | { readonly name: 'oversized'; readonly bytes?: number; readonly charge?: boolean }
  | { readonly name: 'hold'; readonly answer?: Exclude<Misbehaviour, { name: 'hold' }> }
  | { readonly name: 'reset_on_connect' }
  | { readonly name: 'never_read' };

export type MisbehaviourName = Misbehaviour['name'];

type Described = {
  readonly label: string;
  readonly endpoints: readonly Endpoint[];
  /** Whether the order is carried out when `charge` is left out. */
  readonly charges: boolean;
  /** Values used where a field is left out. */
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
};

const CALLS = ['balance', 'create', 'renew'] as const;
const ORDERS = ['create', 'renew'] as const;

/** For a panel: every name, with words for people. */
export const MISBEHAVIOURS = {
  as_documented: { label: 'Answer as documented', endpoints: CALLS, charges: true, defaults: {} },
  refuse: {
    label: 'Refuse with a code',
    endpoints: CALLS,
    charges: false,
    defaults: { code: 402, status: 200, message: 'Insufficient balance' },
  },
  time_out: { label: 'Never answer', endpoints: CALLS, charges: true, defaults: {} },
  reset_before_answer: { label: 'Read it, then reset', endpoints: CALLS, charges: true, defaults: {} },
  reset_mid_answer: { label: 'Reset after half an answer', endpoints: CALLS, charges: true, defaults: {} },
  html: { label: 'Answer with an HTML page', endpoints: CALLS, charges: true, defaults: { status: 200 } },
  redirect: { label: 'Redirect', endpoints: CALLS, charges: false, defaults: { status: 307 } },
  no_order_id: { label: 'Succeed without an order id', endpoints: ORDERS, charges: true, defaults: {} },
  slow: { label: 'Answer late', endpoints: CALLS, charges: true, defaults: { ms: 2000 } },
  drip: { label: 'Send the body byte by byte', endpoints: CALLS, charges: true, defaults: { everyMs: 50 } },
  cut: { label: 'Cut the answer', endpoints: CALLS, charges: true, defaults: { framing: 'length' } },
  empty: { label: 'Answer without a body', endpoints: CALLS, charges: true, defaults: { status: 200 } },
  status: { label: 'Documented body, another status', endpoints: CALLS, charges: true, defaults: { status: 201 } },
  answer: { label: 'Answer with given text', endpoints: CALLS, charges: false, defaults: { status: 200, body: '{}' } },
  garbage: {
    label: 'Answer with what is not HTTP',
    endpoints: CALLS,
    charges: true,
    defaults: { text: 'SSH-2.0-oops\r\n' },
  },
  gzip: { label: 'Compress the answer', endpoints: CALLS, charges: true, defaults: { header: true } },
  gzip_claimed: { label: 'Claim compression, answer plain', endpoints: CALLS, charges: true, defaults: {} },
  bom: { label: 'Byte order mark first', endpoints: CALLS, charges: true, defaults: {} },
  echo_token: {
    label: 'Echo the token',
    endpoints: CALLS,
    charges: false,
    defaults: { form: 'raw', before: '', code: 400 },
  },
  rate_limit: { label: 'Too many requests', endpoints: CALLS, charges: false, defaults: {} },
  oversized: { label: 'A body that is too large', endpoints: CALLS, charges: true, defaults: { bytes: 2_000_000 } },
  hold: { label: 'Hold the answer until released', endpoints: CALLS, charges: true, defaults: {} },
  reset_on_connect: { label: 'Reset the connection unread', endpoints: ['connection'], charges: false, defaults: {} },
  never_read: { label: 'Accept and never read', endpoints: ['connection'], charges: false, defaults: {} },
} as const satisfies Record<MisbehaviourName, Described>;
