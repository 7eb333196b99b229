import type { Link, Movement, Price, Prices } from '../../src/purchasing/model/account.ts';
import type { Allocation } from '../../src/purchasing/model/basket.ts';
import { compare, type Money, parseMoney } from '../../src/purchasing/model/money.ts';
import type { State } from '../../src/purchasing/model/purchase.ts';
import { nextLink, type SentFacts } from '../../src/purchasing/rules/chain.ts';
import { type Change, movementOf, standingOf } from '../../src/purchasing/rules/movements.ts';
import { observe } from '../../src/purchasing/rules/prices.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What the vendor charges for an IP, in thousandths of a dollar: nobody but it knows. */
export const TRUE_PRICES: Readonly<Record<string, bigint>> = { US: 3_200n, DE: 4_005n, JP: 7_990n };

export const BASKETS: readonly (readonly Allocation[])[] = [
  [{ country: 'US', quantity: 10 }],
  [{ country: 'DE', quantity: 3 }],
  [{ country: 'JP', quantity: 7 }],
  [
    { country: 'US', quantity: 2 },
    { country: 'DE', quantity: 5 },
  ],
  [
    { country: 'DE', quantity: 1 },
    { country: 'JP', quantity: 1 },
    { country: 'US', quantity: 1 },
  ],
];

/** How long after a POST the vendor books it: after it has come, or after it was answered. */
const BOOKED_AFTER = [0, 0, 0, 500, 5 * SECOND, 30 * SECOND, 70 * SECOND];
const TIMES = [10, 700, 5 * SECOND, 10 * SECOND, 50 * SECOND, 3 * MINUTE, 15 * MINUTE, 60 * MINUTE];
const JUMPS = [-60 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE];
const READINGS_AFTER = [0, 10 * SECOND, 60 * SECOND];

export interface Bought {
  readonly id: string;
  readonly basket: readonly Allocation[];
  state: State;
  /** The vendor has taken it: it is booked, or will be. */
  readonly taken: boolean;
  readonly startedBy: number;
  endedBy: number | null;
  /** The vendor books it when it has answered. */
  readonly booksLater: boolean;
  /** When its readings are due, by the ledger's clock. */
  due: number[];
}

interface Asked {
  readonly process: number;
  readonly entry: number;
  readonly reading: number;
  balance?: bigint;
}

type Step = readonly [what: number, how: number];

export const PROCESSES = 3;

/** A vendor whose prices and bookings are known, and processes that read its balance and buy, in any order, on one ledger of pure rules. */
export class AccountWorld {
  /** Nobody but us spends. */
  now = 0;
  #clockAhead = 0;
  #balance = 1_000_000n;
  #bookings: { at: number; cost: bigint }[] = [];
  #entry = 0;
  readonly purchases: Bought[] = [];
  readonly #links: Link[] = [];
  #readings = 0;
  readonly #asked: Asked[] = [];
  /** How often each process has started. */
  readonly #lives = Array.from({ length: PROCESSES }, () => 0);
  readonly #changes: { change: Change; purchases: readonly string[] }[] = [];
  prices: Prices = new Map();
  /** What has left the account by another way. */
  readonly elsewhere: bigint[] = [];
  toppedUp = 0;

  /** The steps of a history; each does nothing where it cannot be done. */
  readonly #steps: readonly ((how: number) => void)[] = [
    (how) => this.pass(pick(TIMES, how)),
    (how) => this.pass(pick(TIMES, how)),
    (how) => this.#ask(how % PROCESSES),
    (how) => this.#answer(how),
    (how) => this.#keep(how),
    (how) => this.#keep(how),
    (how) => this.read(how % PROCESSES),
    (how) => this.#send(how),
    (how) => this.#send(how),
    (how) => this.#hear(how),
    (how) => this.#hear(how),
    (how) => this.readDue(how % PROCESSES),
    (how) => this.readDue(how % PROCESSES),
    () => this.#overdue(),
    (how) => this.settle(how),
    (how) => this.#crash(how % PROCESSES),
    (how) => {
      this.#clockAhead += pick(JUMPS, how);
    },
    // More than any basket costs: what is less than that, nobody can tell from a cheaper basket.
    (how) => this.topUp(BigInt(500 + how) * 1_000n),
  ];

  take([what, how]: Step): void {
    this.#steps[what % this.#steps.length]?.(how);
  }

  pass(ms: number): void {
    this.now += ms;
    for (const { cost } of this.#bookings.filter(({ at }) => at <= this.now)) this.#balance -= cost;
    this.#bookings = this.#bookings.filter(({ at }) => at > this.now);
  }

  topUp(amount: bigint): void {
    this.#balance += amount;
    this.toppedUp += 1;
  }

  /** Somebody uses the console. */
  spendElsewhere(amount: bigint): void {
    this.#balance -= amount;
    this.elsewhere.push(amount);
  }

  /** A reading with nothing else meanwhile. */
  read(process: number): void {
    const asked = this.#ask(process);
    asked.balance = this.#balance;
    this.#keepAsked(asked);
  }

  get links(): readonly Link[] {
    return this.#links;
  }

  get movements(): readonly Movement[] {
    return this.#changes.map(({ change, purchases }) =>
      movementOf(
        change,
        purchases.map((id) => {
          const { state, due } = this.#purchase(id);
          return { id, state, readingsDue: due.length > 0 };
        }),
      ),
    );
  }

  /** Nothing that was sent can explain a fall any more. */
  get idle(): boolean {
    const { unbooked = [] } = this.#links.at(-1) ?? {};
    return (
      this.#links.length > 0 &&
      this.#bookings.length === 0 &&
      unbooked.every(({ cost }) => cost !== null) &&
      this.purchases.every(({ startedBy }) => startedBy <= (this.#links.at(-1)?.keptAfter ?? 0))
    );
  }

  /** All that was sent comes to its end, and is read as often as the interval wants it, by one process. */
  calm(process: number): void {
    this.#overdue();
    while (this.purchases.some(({ state }) => state === 'unknown')) this.settle(0);
    for (let n = 0; n < 3; n += 1) {
      this.pass(15 * MINUTE);
      this.readDue(process);
      this.read(process);
    }
  }

  settle(how: number): void {
    const unknown = this.purchases.filter(({ state }) => state === 'unknown');
    const purchase = unknown[how % unknown.length];
    if (purchase) this.#move(purchase, purchase.taken ? 'completed' : 'declined');
  }

  readDue(process: number): void {
    const due = this.purchases.filter(({ due: [first] }) => first !== undefined && first <= this.#ledgerNow());
    if (due.length === 0) return;
    this.read(process);
    for (const purchase of due) {
      purchase.due = purchase.due.filter((at) => at > this.#ledgerNow());
      if (purchase.state === 'sending' && purchase.endedBy !== null) this.#move(purchase, 'declined');
    }
  }

  #ledgerNow(): number {
    return this.now + this.#clockAhead;
  }

  #ask(process: number): Asked {
    const asked = { process, entry: this.#entry, reading: this.#readings };
    this.#asked.push(asked);
    return asked;
  }

  #answer(how: number): void {
    const asked = this.#asked[how % this.#asked.length];
    if (asked) asked.balance = this.#balance;
  }

  #keep(how: number): void {
    const answered = this.#asked.filter(({ balance }) => balance !== undefined);
    const asked = answered[how % answered.length];
    if (asked) this.#keepAsked(asked);
  }

  #keepAsked(asked: Asked): void {
    this.#asked.splice(this.#asked.indexOf(asked), 1);
    this.#readings += 1;
    const previous = this.#links.at(-1) ?? null;
    if (previous && asked.reading < previous.seq) return;
    // A process has a clock of its own, from its start.
    const taken = { process: `${asked.process} ${this.#lives[asked.process]}`, ms: this.now };
    const balance = dollars(asked.balance ?? 0n);
    const started = this.purchases.filter(({ startedBy }) => startedBy > (previous?.keptAfter ?? 0));
    const sent = new Map(this.purchases.map((purchase) => [purchase.id, factsOf(purchase)]));
    const linked = nextLink(
      previous,
      { balance, taken, askedAfter: asked.entry },
      { started: started.map(({ id }) => id), sent, wentBack: false },
    );
    const link = {
      seq: this.#readings,
      at: this.#ledgerNow(),
      balance,
      keptAfter: this.#entry,
      unbooked: linked.unbooked,
    };
    this.#links.push(link);
    if (linked.change && previous) {
      const { purchases, wentBack } = linked.change;
      const change = {
        seq: link.seq,
        from: previous.at,
        to: link.at,
        before: previous.balance,
        after: balance,
        wentBack,
      };
      this.#changes.push({ change, purchases });
    }
    for (const { id, cost } of linked.observed) this.#learn({ basket: this.#purchase(id).basket, cost, at: link.seq });
  }

  #learn(observation: Parameters<typeof observe>[1]): void {
    const prices = new Map<string, Price>(this.prices);
    for (const [country, price] of observe(prices, observation))
      if (price) prices.set(country, price);
      else prices.delete(country);
    this.prices = prices;
  }

  /** The lane: one at a time, after the first reading that follows the last; never slower than its own reading before. */
  #send(how: number): void {
    if (this.purchases.some(({ state, due }) => state === 'sending' || due.length === READINGS_AFTER.length)) return;
    this.read(how % PROCESSES);
    const taken = how % 7 !== 0;
    const basket = pick(BASKETS, how >> 3);
    this.#entry += 1;
    this.purchases.push({
      id: `P-${this.purchases.length}`,
      basket,
      state: 'sending',
      taken,
      startedBy: this.#entry,
      endedBy: null,
      due: [],
      booksLater: taken && how % 2 === 1,
    });
    if (taken && how % 2 === 0) this.#book(basket, how);
  }

  /** The vendor's answer, or that none came. */
  #hear(how: number): void {
    const purchase = this.#sending();
    if (!purchase || purchase.endedBy !== null) return;
    this.#entry += 1;
    this.#end(purchase, how);
    if (how % 5 === 0) this.#move(purchase, 'unknown');
    else if (purchase.taken) this.#move(purchase, 'completed');
  }

  /** Its process is gone. */
  #overdue(): void {
    const purchase = this.#sending();
    if (!purchase || purchase.endedBy !== null) return;
    this.pass(45 * SECOND);
    this.#move(purchase, 'unknown');
    this.#end(purchase, 0);
  }

  #end(purchase: Bought, how: number): void {
    purchase.endedBy = this.#entry;
    purchase.due = READINGS_AFTER.map((after) => this.#ledgerNow() + after);
    if (purchase.booksLater) this.#book(purchase.basket, how);
  }

  #book(basket: readonly Allocation[], how: number): void {
    this.#bookings.push({ at: this.now + pick(BOOKED_AFTER, how >> 6), cost: trueCost(basket) });
    this.pass(0);
  }

  #crash(process: number): void {
    for (const asked of this.#asked.filter((each) => each.process === process))
      this.#asked.splice(this.#asked.indexOf(asked), 1);
    this.#lives[process] = (this.#lives[process] ?? 0) + 1;
  }

  #move(purchase: Bought, state: State): void {
    this.#entry += 1;
    purchase.state = state;
  }

  #sending(): Bought | undefined {
    return this.purchases.find(({ state }) => state === 'sending');
  }

  #purchase(id: string): Bought {
    const found = this.purchases.find((purchase) => purchase.id === id);
    if (!found) throw new Error(`no purchase ${id}`);
    return found;
  }
}

function factsOf({ state, due, endedBy }: Bought): SentFacts {
  return {
    standing: standingOf({ state, readingsDue: due.length > 0 }),
    completed: state === 'completed',
    endedBy,
  };
}

function pick<T>(choices: readonly T[], how: number): T {
  return choices[how % choices.length] as T;
}

export function trueCost(basket: readonly Allocation[]): bigint {
  return basket.reduce((sum, { country, quantity }) => sum + (TRUE_PRICES[country] ?? 0n) * BigInt(quantity), 0n);
}

/** Of thousandths. */
export function dollars(thousandths: bigint): Money {
  const money = parseMoney(`${thousandths}e-3`);
  if (money === undefined) throw new Error(`not money: ${thousandths}`);
  return money;
}

export function equal(a: Money, b: Money): boolean {
  return compare(a, b) === 0;
}
