import type { Click } from '../../src/purchasing/model/click.ts';
import type { Policy } from '../../src/purchasing/model/policy.ts';
import { actSomehow } from './actions.ts';
import { among, type Choices, chance, seeded, weighed } from './choices.ts';
import { closeBooks } from './closing.ts';
import { ordersThatEnd } from './kept.ts';
import { EVERYBODY, LEA } from './people.ts';
import { changePolicy, choosePolicy } from './policies.ts';
import { type Replica, type Seams, startWorkers } from './replica.ts';
import { comeToRest, goOn } from './rest.ts';
import { type Step, settled } from './scheduler.ts';
import { World } from './world.ts';

export interface SessionOptions {
  readonly seed: number;
  readonly seams?: Seams;
  readonly trace?: (line: string) => void;
}

export interface SessionReport {
  readonly seed: number;
  readonly steps: number;
  readonly deaths: number;
  readonly purchases: number;
  readonly posts: number;
  readonly byState: Readonly<Record<string, number>>;
}

const NAMES = ['R1', 'R2', 'R3'];

/** One seeded run: trouble of every kind, then rest, then the closing of the books. */
export async function runSession(options: SessionOptions): Promise<SessionReport> {
  const session = new Session(options);
  try {
    return await session.run();
  } finally {
    session.world.close();
  }
}

export class Session {
  readonly world: World;
  readonly #seed: number;
  readonly #names: readonly string[];
  readonly #policies = new Map<string, Policy>();
  #steps = 0;
  #deaths = 0;
  #born = 0;

  constructor({ seed, seams, trace }: SessionOptions) {
    const choices = seeded(seed);
    const balance = among(choices, 'balance', [1_000_00, 1_000_00, 1_000_00, 15_00]);
    this.world = new World({ choices, balance, slowCommits: true, ...(seams ? { seams } : {}) });
    this.#seed = seed;
    const { scheduler } = this.world;
    if (trace)
      scheduler.note = (who, what) =>
        trace(`${(scheduler.time / 1000).toFixed(3).padStart(9)} s  ${who.padEnd(6)} ${what}`);
    this.#names = NAMES.slice(0, 2 + choices.pick('replicas', [3, 1]));
    const policy = choosePolicy(choices);
    for (const name of this.#names) this.#policies.set(name, policy);
  }

  async run(): Promise<SessionReport> {
    const { world } = this;
    await ordersThatEnd(world);
    for (const name of this.#names) this.#boot(name);
    await settled();
    let actions =
      12 +
      world.choices.pick(
        'actions',
        Array.from({ length: 16 }, () => 1),
      );
    let quiet = 0;
    // Some more trouble after the last action, while what it began is under way.
    while (actions > 0 || quiet < 150) {
      if (await this.#event(actions > 0)) actions -= 1;
      if (actions === 0) quiet += 1;
      world.check();
    }
    const boot = (name: string, policy?: Policy) => this.#boot(name, policy);
    this.#steps += await comeToRest(world, this.#names, boot);
    this.#steps += await goOn(world, this.#names, boot);
    closeBooks(world);
    const purchases = [...world.known.purchases.values()];
    const byState: Record<string, number> = {};
    for (const { state } of purchases) byState[state] = (byState[state] ?? 0) + 1;
    const posts = world.books.posts.length;
    return { seed: this.#seed, steps: this.#steps, deaths: this.#deaths, purchases: purchases.length, posts, byState };
  }

  /** @returns whether it was somebody's action. */
  async #event(mayAct: boolean): Promise<boolean> {
    const { choices, scheduler } = this.world;
    const ready = scheduler.ready();
    const dead = this.#names.filter((name) => !this.world.replicas.get(name)?.life.alive);
    const busy = ready.some(({ idle }) => !idle);
    const event = weighed(choices, 'event', {
      step: ready.length > 0 ? 1_000 : 0,
      time: busy ? 25 : 120,
      act: mayAct ? (busy ? 15 : 90) : 0,
      death: 2,
      start: 25 * dead.length,
      pause: 4,
      office: 3,
      clock: 0.7,
      vendor: 1,
    });
    switch (event) {
      case 'step': {
        this.#steps += 1;
        await scheduler.run(chooseStep(choices, ready));
        break;
      }
      case 'time':
        this.#passTime();
        break;
      case 'act':
        actSomehow(this.world, (user, what, act) => this.#deliver(user, what, act));
        return true;
      case 'death':
        this.#death(among(choices, 'who', this.#names));
        break;
      case 'start':
        this.#boot(among(choices, 'who', dead));
        break;
      case 'pause': {
        const replica = this.world.replicas.get(among(choices, 'who', this.#names));
        const ms = among(choices, 'for', [3_000, 7_000, 40_000, 600_000]);
        if (replica) replica.life.pausedUntil = scheduler.time + ms;
        scheduler.note(replica?.life.name ?? '', `stands still for ${ms} ms`);
        break;
      }
      case 'office':
        this.#office();
        break;
      case 'clock': {
        const ms = among(choices, 'clock', [-90_000, -3_000, 3_000, 90_000, 1_200_000]);
        scheduler.wallOffset += ms;
        scheduler.note('world', `the clock is set by ${ms} ms`);
        break;
      }
      case 'vendor':
        if (chance(choices, 'vendor', 0.5)) this.world.books.balance += 20_00;
        else this.world.revoked = !this.world.revoked;
        scheduler.note('vendor', `token accepted: ${!this.world.revoked}, balance ${this.world.books.balance}`);
    }
    return false;
  }

  #passTime(): void {
    const { scheduler, choices } = this.world;
    const next = Math.min(
      ...scheduler.steps
        .map(({ dueAt, life }) => Math.max(dueAt, life.pausedUntil))
        .filter((at) => at > scheduler.time),
    );
    const kind = weighed(choices, 'time', { next: Number.isFinite(next) ? 60 : 0, moment: 20, seconds: 25, long: 4 });
    switch (kind) {
      case 'next':
        scheduler.time = next;
        break;
      case 'moment':
        scheduler.time += 50;
        break;
      case 'seconds':
        scheduler.time += among(choices, 'seconds', [1_000, 4_000, 6_000, 12_000]);
        break;
      case 'long':
        scheduler.time += among(choices, 'long', [25_000, 65_000, 130_000]);
    }
  }

  #office(): void {
    const { office, channels, choices, scheduler } = this.world;
    const user = among(choices, 'who', EVERYBODY);
    switch (weighed(choices, 'office', { approve: 4, buy: 3, guest: 2, reach: 2 })) {
      case 'approve':
        office.toggle(user, 'S0LEADS', scheduler.time);
        break;
      case 'buy':
        office.toggle(user, 'S0BUYERS', scheduler.time);
        break;
      case 'guest':
        office.toggleGuest(user, scheduler.time);
        break;
      case 'reach':
        if (user !== LEA && !channels.unreachable.delete(user)) channels.unreachable.add(user);
    }
    scheduler.note(
      'world',
      `leads ${office.members('S0LEADS').join(' ')}, buyers ${office.members('S0BUYERS').join(' ')}, ${user} a guest: ${office.isGuest(user)}`,
    );
    if (chance(choices, 'announced', 0.7)) for (const { forget } of this.world.replicas.values()) forget();
  }

  /** Slack delivers to any process, sometimes twice, sometimes late. */
  #deliver(user: string, what: string, act: (replica: Replica, click: Click) => Promise<unknown>): void {
    const { world } = this;
    const click: Click = { user, id: world.newId('K') };
    const { choices, scheduler } = world;
    const copies = 1 + choices.pick('delivered twice', [85, 15]);
    for (let n = 0; n < copies; n += 1) {
      const after = [0, 100, 3_000, 40_000][choices.pick('delivered after', [70, 15, 10, 5])] ?? 0;
      void scheduler.wait(
        world.vendor,
        `(${user} ${what}${n > 0 ? ', again' : ''})`,
        () => {
          const replica = world.replicas.get(among(choices, 'delivered to', this.#names));
          if (replica?.life.alive) world.click(replica, click, what, () => act(replica, click));
        },
        scheduler.time + after,
      );
    }
  }

  /** By a signal, or without one. */
  #death(name: string): void {
    const { world } = this;
    const { scheduler, choices } = world;
    const replica = world.replicas.get(name);
    if (!replica?.life.alive) return;
    this.#deaths += 1;
    const end = () => {
      scheduler.note(replica.life.name, 'is gone');
      scheduler.kill(name);
    };
    if (chance(choices, 'killed', 0.7)) {
      end();
      return;
    }
    scheduler.note(replica.life.name, 'is told to stop');
    world.click(replica, { user: 'signal', id: world.newId('K') }, 'stops', async () => {
      await Promise.all([replica.lane.stop(), replica.workers.stop()]);
      end();
    });
  }

  /** Perhaps with another policy than before. */
  #boot(name: string, given?: Policy): void {
    const { world } = this;
    const old = given ?? this.#policies.get(name);
    if (!old || world.replicas.get(name)?.life.alive) return;
    const policy = world.calm || this.#born < this.#names.length ? old : changePolicy(old, world.choices);
    this.#policies.set(name, policy);
    this.#born += 1;
    const replica = world.boot(`${name}.${this.#born}`, policy, name);
    startWorkers(replica, () => world.askedSince(replica.life));
  }
}

/** Workers that only look come last mostly: what is under way is what is interesting. */
function chooseStep(choices: Choices, ready: readonly Step[]): Step {
  const step =
    ready[
      choices.pick(
        'step',
        ready.map(({ idle }) => (idle ? 1 : 6)),
      )
    ];
  if (!step) throw new Error('no step is ready');
  return step;
}
