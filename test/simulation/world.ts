import type { Click } from '../../src/purchasing/model/click.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import type { Kind } from '../../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../../src/purchasing/model/refusals.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import type { Log } from '../../src/purchasing/ports/log.ts';
import { Audit, type Committer } from './audit.ts';
import { Books } from './books.ts';
import type { Choices } from './choices.ts';
import { openShared, type Shared, simulatedDatabase } from './database.ts';
import { Dollars } from './dollars-audit.ts';
import { Known } from './known.ts';
import { Office } from './people.ts';
import { PLAN, STRICT } from './policies.ts';
import { buildReplica, type Replica, type Seams } from './replica.ts';
import { type Life, Scheduler } from './scheduler.ts';
import { Channels, simulatedSlack } from './slack.ts';
import { type Reply, simulatedVendor, USUAL_ANSWERS } from './vendor.ts';
import { Violation } from './violation.ts';

/** What a process that goes on may report without being at fault: the trouble that was made for it. */
const OUTAGES = ['Injected', 'WebAPIHTTPError', 'WebAPIRateLimitedError', 'WebAPIPlatformError'];

export interface WorldOptions {
  readonly choices: Choices;
  readonly seams?: Seams;
  /** In cents. */
  readonly balance?: number;
  readonly answers?: Readonly<Record<Reply, number>>;
  /** No process leaves anything to another: no promise may rest on a lease. */
  readonly unleased?: boolean;
  /** A process may stand still between a commit and its hearing of it. */
  readonly slowCommits?: boolean;
  /** Of what small worlds do. */
  readonly policy?: Policy;
  /** Instead of Slack's user groups. */
  readonly directory?: (world: World, replica: { readonly life: Life }) => Directory;
}

/** A click that a process is at. */
interface Delivery {
  readonly user: string;
  /** Equal in every delivery of one click. */
  readonly click: string;
  readonly since: number;
}

/** Everything outside of the product, and the product's processes in it. */
export class World {
  readonly choices: Choices;
  readonly scheduler = new Scheduler();
  readonly office = new Office();
  readonly channels = new Channels();
  readonly books: Books;
  readonly shared: Shared;
  readonly known: Known;
  readonly audit: Audit;
  readonly vendor: Life;
  readonly replicas = new Map<string, Replica>();
  /** No more trouble is made. */
  calm = false;
  revoked = false;
  /** The next transaction fails. */
  locked = false;
  /** The next transaction commits, and its process is not told. */
  unheard = false;
  /** A breach that was found where nothing can be thrown. */
  breach: Violation | undefined;
  /** Answers that reached a process: kept by the end, unless it died. */
  readonly heard: { readonly life: Life; readonly purchase: string; readonly endedAt: number }[] = [];
  readonly ticked = new Set<string>();
  /** How many rows a submission asked for. */
  readonly batchSizes = new Map<string, number>();
  /** The rows that a click strikes out. */
  readonly struck = new Map<string, ReadonlySet<string>>();
  /** What an IP costs, bought or renewed, by country, in cents, as far as anybody has seen. */
  readonly #prices = new Map<string, number>();
  readonly #options: WorldOptions;
  readonly #clicks = new Map<Life, Set<Delivery>>();
  readonly #asking = new Map<Life, Set<{ readonly since: number }>>();
  readonly #submits = new Map<string, 'refused' | 'filed'>();
  readonly #served = new Map<number, number>();
  #ids = 0;
  #readings = 0;

  constructor(options: WorldOptions) {
    const { scheduler } = this;
    this.#options = options;
    this.choices = options.choices;
    this.books = new Books(options.balance ?? 1_000_00);
    this.shared = openShared(() => scheduler.wall(), options.seams?.schema);
    this.known = new Known(this.shared);
    this.vendor = scheduler.born('vendor');
    this.audit = new Audit({
      known: this.known,
      books: this.books,
      office: this.office,
      time: () => scheduler.time,
      wall: () => scheduler.wall(),
      servedAt: (readAt) => this.#served.get(readAt),
      ticked: (submission) => this.ticked.has(submission),
      batchSize: (submission) => this.batchSizes.get(submission),
      strikes: (click, id) => this.struck.get(click)?.has(id) ?? false,
      dollars: new Dollars(this.#prices, () => scheduler.wall()),
    });
  }

  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  /** The parts of one process, on ports of its own. */
  /** @param key under which it stands among `replicas` */
  boot(name: string, policy: Policy, process = name, key = process): Replica {
    const { scheduler, choices, books } = this;
    const life = scheduler.born(name, process);
    const asking = new Set<{ readonly since: number }>();
    this.#asking.set(life, asking);
    this.#clicks.set(life, new Set());
    const calm = () => this.calm;
    let ownIds = 1;
    const database = simulatedDatabase({
      shared: this.shared,
      scheduler,
      choices,
      life,
      calm,
      locked: () => {
        const was = this.locked;
        this.locked = false;
        return was;
      },
      unheard: () => {
        const was = this.unheard;
        this.unheard = false;
        return was;
      },
      committed: () => this.#committed(replica),
      slowCommits: this.#options.slowCommits ?? false,
    });
    const vendor = simulatedVendor({
      books,
      scheduler,
      choices,
      life,
      vendor: this.vendor,
      calm,
      revoked: () => this.revoked,
      arriving: (order) => this.#guarded(() => this.audit.arriving(order)),
      served: (at) => this.#serve(at),
      heard: (purchase) => this.heard.push({ life, purchase, endedAt: scheduler.wall() }),
      answers: this.#options.answers ?? USUAL_ANSWERS,
    });
    const client = simulatedSlack({
      office: this.office,
      channels: this.channels,
      scheduler,
      choices,
      life,
      calm,
      asking,
    });
    const replica = buildReplica({
      life,
      database,
      vendor,
      client,
      clock: scheduler.clockOf(life),
      log: this.#logOf(life),
      // Where states are compared, ids must not tell of the order in which the tasks came for them.
      newId: () => (scheduler.remembers ? `${name}/${ownIds++}` : this.newId('N')),
      policy,
      seams: this.#options.seams ?? {},
      unleased: this.#options.unleased ?? false,
      sides: async (id) => this.known.sides(id),
      ...(this.#options.directory ? { directory: this.#options.directory(this, { life }) } : {}),
    });
    this.replicas.set(key, replica);
    return replica;
  }

  /** What a person does at a process: it may fail with an outage, and with nothing else. */
  click(replica: Replica, { user, id }: Click, what: string, act: () => Promise<unknown>): void {
    const clicks = this.#clicks.get(replica.life);
    const click: Delivery = { user, click: id, since: this.askedSince(replica.life) };
    clicks?.add(click);
    this.scheduler.note(replica.life.name, `${user} ${what}`);
    act()
      .catch((error: unknown) => this.#judge(error, what))
      .finally(() => clicks?.delete(click));
  }

  /** What a submit came to, each time that it was delivered. */
  filedBy(click: Click, came: Refusal | { readonly again: boolean }): void {
    const to = isRefusal(came) ? 'refused' : came.again ? undefined : 'filed';
    if (to === undefined) return;
    const before = this.#submits.get(click.id) ?? to;
    this.#submits.set(click.id, to);
    if (before !== to) this.breach ??= new Violation('refused_and_filed', `${click.id} of ${click.user}`);
  }

  /** Answers in flight serve who asks now. */
  askedSince(life: Life): number {
    return Math.min(this.scheduler.time, ...Array.from(this.#asking.get(life) ?? [], ({ since }) => since));
  }

  /** What an IP of this country costs is observed, for whoever decides from now on. */
  learnPrice(country: string, cents: number, kind: Kind = 'buy'): void {
    this.#prices.set(`${kind} ${country}`, cents);
    this.shared.rows(
      `INSERT INTO observed_prices (kind, product_id, country, amount, divisor, since, latest, observations)
       VALUES (?, ?, ?, ?, '100', 0, 0, 1) ON CONFLICT (kind, product_id, country) DO UPDATE SET amount = excluded.amount`,
      kind,
      PLAN.productId,
      country,
      String(cents),
    );
  }

  /** @throws the breach that was found in the step just performed. */
  check(): void {
    if (this.breach) throw this.breach;
  }

  /** Of what small worlds do. */
  get policy(): Policy {
    return this.#options.policy ?? STRICT;
  }

  close(): void {
    this.shared.close();
  }

  #committed(replica: Replica): void {
    const { life, policy, asked } = replica;
    const by: Committer = {
      name: life.name,
      policy,
      clickedSince: (user) => {
        const since = Array.from(this.#clicks.get(life) ?? [])
          .filter((click) => click.user === user)
          .map((click) => click.since);
        return since.length > 0 ? Math.min(...since) : this.scheduler.time;
      },
      deliveries: (user) => Array.from(this.#clicks.get(life) ?? []).filter((click) => click.user === user),
      askedSince: asked.since,
    };
    this.#guarded(() => this.audit.committed(by));
  }

  /** A breach is kept, since the product would take it for an outage. */
  #guarded<T>(look: () => T): T {
    try {
      return look();
    } catch (error) {
      if (error instanceof Violation) this.breach ??= error;
      throw error;
    }
  }

  #judge(error: unknown, what: string): void {
    if (error instanceof Violation || (error instanceof Error && OUTAGES.includes(error.name))) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.breach ??= new Violation('bug', `${what}: ${text}`);
  }

  #logOf(life: Life): Log {
    const write = (fields: object, message: string) => {
      if ('err' in fields) this.#judge(fields.err, message);
      if ('why' in fields && 'kind' in fields && fields.kind === 'unreachable' && fields.why === 'Error')
        this.#judge(new Error('a call to Slack failed for a reason of its own'), message);
      if (message !== 'not sent now') this.scheduler.note(life.name, `says: ${message}`);
    };
    return { debug: write, info: write, warn: write, error: write };
  }

  #serve(at: number): number {
    if (!this.scheduler.remembers) this.#readings += 1;
    // Where states are compared, it must not tell of the order in which the readings came.
    const number = this.scheduler.remembers ? Math.round(at / 1_000) : this.#readings;
    const fraction = (number % 4096) / 4096;
    this.#served.set(this.scheduler.wall() + fraction, at);
    return fraction;
  }
}
