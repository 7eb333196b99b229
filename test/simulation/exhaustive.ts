import { createHash } from 'node:crypto';
import { type Choices, scripted } from './choices.ts';
import { closeBooks } from './closing.ts';
import type { Seams } from './replica.ts';
import { settled } from './scheduler.ts';
import { Violation } from './violation.ts';
import { World, type WorldOptions } from './world.ts';

/** A small world of which every interleaving is tried. */
export interface Scope {
  readonly name: string;
  /** Questions beside "which step is next" whose every answer is tried; all others get their first answer. */
  readonly branches: readonly string[];
  readonly options: Omit<WorldOptions, 'choices' | 'seams'>;
  /** Sets the stage, without branching. */
  readonly prepare: (world: World) => Promise<void>;
  /** Begins the tasks whose steps are interleaved. */
  readonly begin: (world: World) => void;
  /** What may strike at any point, each once. */
  readonly strikes: readonly Strike[];
  /** Everything that is left comes to its end, in one way. */
  readonly end: (world: World) => Promise<void>;
}

export interface Strike {
  readonly name: string;
  readonly strike: (world: World) => void | Promise<void>;
  /** Only then; at any point where it is left out. */
  readonly when?: (world: World) => boolean;
}

export interface Explored {
  /** Runs from the start to an end, or to a state that was met before. */
  readonly runs: number;
  /** Different states met. */
  readonly states: number;
  /** Orders of all steps, from the start to an end. */
  readonly interleavings: bigint;
  /** What the ledger and the vendor's books said in the end, each once. */
  readonly ends: ReadonlySet<string>;
}

/** The interleaving that breaks a promise: its answers replay it. */
export class Counterexample extends Error {
  readonly violation: Violation;
  readonly answers: readonly number[];
  constructor(violation: Violation, scope: Scope, answers: readonly number[]) {
    super(`${scope.name}, interleaving ${answers.join('.')}: ${violation.message}`);
    this.violation = violation;
    this.answers = answers;
  }
}

export interface ExploreOptions {
  readonly seams?: Seams;
  /** false: every interleaving is run from its start to its end. */
  readonly prune?: boolean;
  readonly runsAtMost?: number;
}

/** Where the choices made in a state lead, each to a state or to an end. */
type Edges = Map<string, string>;
const END = 'end';

/**
 * Depth first over every choice: which step is next, whether something strikes, how the vendor answers. A run is replayed from the
 * start by its answers. A state that was met before is not explored again: a state is everything in the ledger and at the vendor,
 * the time, and all that each living task has been given back by its ports. The tasks are deterministic, so what can follow is the
 * same; a test holds that without this the same ends are found.
 */
export async function explore(scope: Scope, options: ExploreOptions = {}): Promise<Explored> {
  const graph = new Map<string, Edges>();
  const ends = new Set<string>();
  const pending: (readonly number[])[] = [[]];
  let first: string | undefined;
  let runs = 0;
  for (let answers = pending.pop(); answers !== undefined; answers = pending.pop()) {
    runs += 1;
    if (runs > (options.runsAtMost ?? Number.POSITIVE_INFINITY))
      throw new Error(`${scope.name}: more than ${runs} runs`);
    const run = await follow(scope, answers, graph, options);
    first ??= run.first;
    if (run.end !== null) ends.add(run.end);
    for (let at = run.taken.length - 1; at >= answers.length; at -= 1) {
      const prefix = run.taken.slice(0, at).map(({ index }) => index);
      for (let index = (run.taken[at]?.count ?? 1) - 1; index > 0; index -= 1) pending.push([...prefix, index]);
    }
  }
  return { runs, states: graph.size, interleavings: ordersFrom(first ?? END, graph, new Map()), ends };
}

interface Run {
  readonly first: string;
  readonly taken: readonly { readonly index: number; readonly count: number }[];
  /** Null: it came to a state that was met before. */
  readonly end: string | null;
}

/** One run by its answers; a trace may be asked for. */
export async function follow(
  scope: Scope,
  answers: readonly number[],
  graph: Map<string, Edges>,
  { seams, prune = true }: ExploreOptions,
  trace?: (who: string, what: string) => void,
): Promise<Run> {
  const script = scripted(answers);
  let branching = false;
  const choices: Choices = {
    pick(what, weights) {
      if (!branching || !scope.branches.includes(what)) return weights.findIndex((weight) => weight > 0);
      const possible = weights.flatMap((weight, index) => (weight > 0 ? [index] : []));
      return (
        possible[
          script.pick(
            what,
            possible.map(() => 1),
          )
        ] ?? 0
      );
    },
  };
  const world = new World({ ...scope.options, choices, ...(seams ? { seams } : {}) });
  if (trace) world.scheduler.note = trace;
  const struck = new Set<string>();
  let first: string | undefined;
  let edges: Edges | undefined;
  let since = 0;
  /** @returns whether it leads where a run has been. */
  const arrive = (at: string): boolean => {
    first ??= at;
    const picks = script.taken.slice(since).map(({ index }) => index);
    edges?.set(picks.join('.'), at);
    const known = graph.get(at);
    edges = known ?? new Map();
    if (!known && at !== END) graph.set(at, edges);
    since = script.taken.length;
    return known !== undefined && script.taken.length >= answers.length;
  };
  try {
    await scope.prepare(world);
    world.scheduler.remembers = true;
    scope.begin(world);
    await settled();
    branching = true;
    for (let steps = world.scheduler.ready(); steps.length > 0; steps = world.scheduler.ready()) {
      // Without pruning every run is a branch of its own.
      const state = prune ? stateOf(world, struck) : script.taken.map(({ index }) => index).join('.');
      if (arrive(state)) return { first: first ?? state, taken: script.taken, end: null };
      const strikes = scope.strikes.filter(({ name, when }) => !struck.has(name) && (when?.(world) ?? true));
      const choice = script.pick(
        'next',
        Array.from({ length: steps.length + strikes.length }, () => 1),
      );
      const step = steps[choice];
      if (step) await world.scheduler.run(step);
      else await strike(world, struck, strikes[choice - steps.length]);
      await settled();
      world.check();
    }
    const last = prune ? `${stateOf(world, struck)}, at the end` : script.taken.map(({ index }) => index).join('.');
    if (arrive(last)) return { first: first ?? last, taken: script.taken, end: null };
    arrive(END);
    branching = false;
    await scope.end(world);
    world.check();
    closeBooks(world);
    return { first: first ?? END, taken: script.taken, end: summary(world) };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Counterexample(
      error,
      scope,
      script.taken.map(({ index }) => index),
    );
  } finally {
    world.close();
  }
}

async function strike(world: World, struck: Set<string>, chosen: Strike | undefined): Promise<void> {
  if (!chosen) throw new Error('no such choice');
  struck.add(chosen.name);
  world.scheduler.note('world', chosen.name);
  await chosen.strike(world);
}

function stateOf(world: World, struck: ReadonlySet<string>): string {
  const tables = [
    'purchases',
    'batches',
    'entries',
    'readings',
    'notices',
    'clicks',
    'desk',
    'order_reminders',
    'observed_prices',
  ].map((table) => world.known.rows(`SELECT * FROM ${table}`));
  const { scheduler, books } = world;
  const all = [
    tables,
    books.posts,
    books.balance,
    world.known.tries,
    scheduler.time,
    scheduler.wallOffset,
    [...struck].sort(),
  ];
  return createHash('sha1')
    .update(`${JSON.stringify(all)}${scheduler.remembered()}`)
    .digest('base64');
}

function ordersFrom(state: string, graph: ReadonlyMap<string, Edges>, counted: Map<string, bigint>): bigint {
  if (state === END) return 1n;
  const known = counted.get(state);
  if (known !== undefined) return known;
  let orders = 0n;
  for (const next of graph.get(state)?.values() ?? []) orders += ordersFrom(next, graph, counted);
  counted.set(state, orders);
  return orders;
}

/** What matters of an end: where each purchase stands, and what the vendor was asked and took. */
function summary({ known, books }: World): string {
  const purchases = known.rows(
    "SELECT state, declined_how, why, order_id FROM purchases WHERE submission <> 'last' ORDER BY seq",
  );
  const posts = books.posts.filter(({ purchase }) => known.purchases.get(purchase)?.submission !== 'last');
  return JSON.stringify([purchases, posts.map(({ said, charging }) => [said, charging])]);
}
