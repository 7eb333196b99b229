import type { Answer, BalanceReading } from '../../src/purchasing/model/answer.ts';
import { parseMoney } from '../../src/purchasing/model/money.ts';
import type { SendGuard, Vendor, VendorOrder } from '../../src/purchasing/ports/vendor.ts';
import type { Exchange } from '../../src/vendor-api/exchange.ts';
import { toAnswer } from '../../src/vendor-api/outcome.ts';
import { type Books, type Charging, dollars, type Post, priceOf } from './books.ts';
import { type Choices, weighed } from './choices.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** As the product is configured here. */
export const ANSWER_WITHIN_MS = 30_000;

export interface VendorDeps {
  readonly books: Books;
  readonly scheduler: Scheduler;
  readonly choices: Choices;
  readonly life: Life;
  /** The vendor's own machines; they never die. */
  readonly vendor: Life;
  readonly calm: () => boolean;
  /** The token is not accepted any more. */
  readonly revoked: () => boolean;
  /** Which purchase and attempt a POST belongs to; it looks whether it may be made at all. */
  readonly arriving: (order: VendorOrder) => { readonly purchase: string; readonly attempt: string };
  /** Every reading has a number of its own, in the fraction of its time: what was served when. */
  readonly served: (at: number) => number;
  /** The answer to a POST has reached the process. */
  readonly heard: (purchase: string) => void;
  readonly answers: Readonly<Record<Reply, number>>;
}

/** How the vendor answers a POST, and what it does with the order meanwhile. */
const REPLIES = {
  yes: { charging: 'at once', said: 'yes' },
  yes_without_id: { charging: 'at once', said: 'yes' },
  no: { charging: 'never', said: 'no' },
  no_but_charged: { charging: 'at once', said: 'no' },
  no_but_charged_later: { charging: 'later', said: 'no' },
  error_page: { charging: 'never', said: 'nothing clear' },
  error_page_but_charged: { charging: 'at once', said: 'nothing clear' },
  reset: { charging: 'never', said: 'nothing clear' },
  reset_but_charged: { charging: 'at once', said: 'nothing clear' },
  hangs: { charging: 'never', said: 'nothing clear' },
  hangs_but_charged: { charging: 'at once', said: 'nothing clear' },
  hangs_but_charged_later: { charging: 'later', said: 'nothing clear' },
} as const satisfies Record<string, { charging: Charging; said: Post['said'] }>;
export type Reply = keyof typeof REPLIES;

export const USUAL_ANSWERS: Readonly<Record<Reply, number>> = {
  yes: 40,
  yes_without_id: 5,
  no: 15,
  no_but_charged: 6,
  no_but_charged_later: 5,
  error_page: 4,
  error_page_but_charged: 4,
  reset: 4,
  reset_but_charged: 4,
  hangs: 4,
  hangs_but_charged: 4,
  hangs_but_charged_later: 4,
};

/** The vendor as one process sees it; answers are judged by the product's own table. */
export function simulatedVendor(deps: VendorDeps): Vendor {
  const { books, scheduler, choices, life } = deps;

  return {
    async send(order, guard) {
      const began = await scheduler.wait(life, 'connects to send', () => connect(order, guard));
      if (typeof began === 'string') return answered({ stage: 'not_started', why: began }, null);
      const { post, reply } = began;
      const startedAt = scheduler.wall();
      const latency = reply.startsWith('hangs') ? ANSWER_WITHIN_MS : slowness();
      return scheduler.wait(
        life,
        `has the answer to POST ${post.n}: ${reply}`,
        () => receive(post, reply, startedAt),
        scheduler.time + latency,
      );
    },
    readBalance,
    close: async () => {},
  };

  /** With the connection standing, the guard is asked and the request leaves in the same moment. */
  function connect(order: VendorOrder, guard: SendGuard): string | { post: Post; reply: Reply } {
    if (!deps.calm() && choices.pick('connection', [88, 12]) === 1) return 'the connection was refused';
    if (!guard.mayStart()) return 'it was stopped before it started';
    const reply = deps.calm() ? 'yes' : deps.revoked() ? 'no' : weighed(choices, 'the vendor', deps.answers);
    const { charging, said } = REPLIES[reply];
    const post: Post = {
      n: books.posts.length + 1,
      at: scheduler.time,
      order,
      ...deps.arriving(order),
      price: priceOf(order),
      charging,
      chargedAt: null,
      said,
      answered: false,
    };
    books.posts.push(post);
    scheduler.note('vendor', `receives POST ${post.n} of ${post.purchase} (${reply}, money: ${charging})`);
    if (charging === 'at once') books.charge(post, scheduler.time);
    if (charging === 'later') {
      const after = [3_000, 15_000, 45_000, 90_000][choices.pick('books after', [1, 1, 1, 1])] ?? 0;
      void scheduler.wait(
        deps.vendor,
        `books POST ${post.n}`,
        () => books.charge(post, scheduler.time),
        scheduler.time + after,
      );
    }
    return { post, reply };
  }

  function receive(post: Post, reply: Reply, startedAt: number): Answer {
    post.answered = post.said !== 'nothing clear';
    deps.heard(post.purchase);
    const code = deps.revoked() ? 401 : 402;
    switch (reply) {
      case 'yes':
        return answered(body(200, `{"code":200,"data":{"order_id":${9007199254740993n + BigInt(post.n)}}}`), startedAt);
      case 'yes_without_id':
        return answered(body(200, '{"code":200,"data":null}'), startedAt);
      case 'no':
      case 'no_but_charged':
      case 'no_but_charged_later':
        return answered(body(200, `{"code":${code},"msg":"no"}`), startedAt);
      case 'error_page':
      case 'error_page_but_charged':
        return answered(body(502, '<html>'), startedAt);
      case 'reset':
      case 'reset_but_charged':
        return answered({ stage: 'no_answer', why: 'the connection was reset' }, startedAt);
      case 'hangs':
      case 'hangs_but_charged':
      case 'hangs_but_charged_later':
        return answered({ stage: 'no_answer', why: 'the time allowed had passed' }, startedAt);
      default:
        return reply satisfies never;
    }
  }

  function answered(exchange: Exchange, startedAt: number | null): Answer {
    return toAnswer(exchange, { startedAt, endedAt: scheduler.wall() }, (text) => text);
  }

  /** The value is of the moment when the vendor served it; it arrives later. */
  async function readBalance(): Promise<BalanceReading> {
    const served = await scheduler.wait(life, 'asks for the balance', () => {
      const value = { cents: books.balance, at: scheduler.time };
      if (deps.revoked()) return { ...value, fails: 'unauthorized' as const };
      if (!deps.calm() && choices.pick('the balance', [90, 10]) === 1)
        return { ...value, fails: 'status 502' as const };
      return { ...value, fails: null };
    });
    const latency = slowness();
    return scheduler.wait(
      life,
      'has the balance',
      (): BalanceReading => {
        const at = scheduler.wall() + deps.served(served.at);
        if (served.fails === 'unauthorized') return { ok: false, at, why: 'code 401', refused: 'unauthorized' };
        if (served.fails !== null) return { ok: false, at, why: served.fails };
        const balance = parseMoney(dollars(served.cents));
        if (balance === undefined) throw new Error(`not money: ${served.cents}`);
        return { ok: true, balance, at };
      },
      scheduler.time + latency,
    );
  }

  function slowness(): number {
    if (deps.calm()) return 0;
    return [0, 300, 4_000, 20_000][choices.pick('slowness', [60, 25, 10, 5])] ?? 0;
  }
}

function body(httpStatus: number, text: string): Exchange {
  return { stage: 'answered', httpStatus, headers: {}, body: Buffer.from(text) };
}
