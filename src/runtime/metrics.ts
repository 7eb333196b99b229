import { Counter, collectDefaultMetrics, Gauge, Histogram, register as ofProcess, Registry } from 'prom-client';
import { type Kind, OPEN_STATES, STATES } from '../purchasing/model/purchase.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { Counts } from '../purchasing/ports/status.ts';
import type { InstanceWatch } from './instances.ts';
import type { Observer } from './observer.ts';

export interface MetricsDeps {
  readonly clock: Clock;
  readonly counts: () => Promise<Counts>;
  readonly instances: Pick<InstanceWatch, 'count' | 'different' | 'trouble'>;
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly version: string;
  /** Its digest. */
  readonly policy: () => string;
}

/** The ledger is asked at most so often, whoever scrapes. */
const COUNTED_AGAIN_AFTER_MS = 1_000;

/** Scrapers give up after 10 s by default: the other metrics arrive long before. */
const COUNTED_WITHIN_MS = 1_500;

/** Slack gives up an ack after 3 s; a trigger is of use for as long. */
const ACK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3];
/** A call to Slack is given up after 5 s. */
const SLACK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5];
/** The vendor has 30 s by default. */
const VENDOR_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

const KINDS: readonly Kind[] = ['buy', 'renew'];

/** What is scraped, in Prometheus' text format. No label holds an id, a person or a text of somebody's: their values are few. */
export class Metrics implements Observer {
  readonly #deps: MetricsDeps;
  readonly #registry = new Registry();
  readonly #acks: Histogram<'kind' | 'outcome'>;
  readonly #slackCalls: Histogram<'method' | 'outcome'>;
  readonly #vendorCalls: Histogram<'call' | 'outcome'>;
  readonly #signatures: Counter<'reason'>;
  #counted: { readonly at: number; readonly counts: Promise<Counts | undefined> } | undefined;
  #isCounting = false;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    const registers = [this.#registry];
    this.#acks = new Histogram({
      name: 'proxy_desk_ack_seconds',
      help: 'From a delivery of Slack to its ack. late: with a word that it may still be done; failed: with an apology.',
      labelNames: ['kind', 'outcome'],
      buckets: ACK_SECONDS,
      registers,
    });
    this.#slackCalls = new Histogram({
      name: 'proxy_desk_slack_call_seconds',
      help: 'Calls to Slack, by method and outcome: ok, refused, rate_limited, unreachable.',
      labelNames: ['method', 'outcome'],
      buckets: SLACK_SECONDS,
      registers,
    });
    this.#vendorCalls = new Histogram({
      name: 'proxy_desk_vendor_call_seconds',
      help: 'Calls to the vendor: balance (read, unread) and order (completed, declined, not_sent, unknown).',
      labelNames: ['call', 'outcome'],
      buckets: VENDOR_SECONDS,
      registers,
    });
    // There from the start: of what appears with its first event nobody can tell that it grew.
    for (const outcome of ['read', 'unread']) this.#vendorCalls.zero({ call: 'balance', outcome });
    this.#signatures = new Counter({
      name: 'proxy_desk_signature_failures_total',
      help: 'Requests in the name of Slack that were refused: by their signature, or by their time.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of ['signature', 'time']) this.#signatures.inc({ reason }, 0);
    if (!ofProcess.getSingleMetric('process_start_time_seconds')) collectDefaultMetrics();
  }

  readonly contentType = this.#registry.contentType;

  readonly acked: Observer['acked'] = (kind, outcome, ms) => this.#acks.observe({ kind, outcome }, ms / 1_000);

  readonly slackCalled: Observer['slackCalled'] = (method, trouble, ms) =>
    this.#slackCalls.observe({ method, outcome: trouble?.kind ?? 'ok' }, ms / 1_000);

  readonly vendorCalled: Observer['vendorCalled'] = ({ call, outcome }, ms) =>
    this.#vendorCalls.observe({ call, outcome }, ms / 1_000);

  refusedRequest(reason: 'signature' | 'time'): void {
    this.#signatures.inc({ reason });
  }

  async text(): Promise<string> {
    const parts = [await this.#ofNow(), this.#registry, ofProcess];
    return (await Promise.all(parts.map((part) => part.metrics()))).join('\n');
  }

  /** What holds at this moment. Where the ledger does not answer, what it would say is left out, and all else is there. */
  async #ofNow(): Promise<Registry> {
    const { instances, whyNotReady, version, policy } = this.#deps;
    const [trouble, counts] = await Promise.all([whyNotReady(), this.#counts()]);
    const registry = new Registry();
    const gauge = (name: string, help: string, value: number) =>
      new Gauge({ name: `proxy_desk_${name}`, help, registers: [registry] }).set(value);
    gauge('ready', '1 when commands are answered.', trouble === undefined ? 1 : 0);
    gauge('writable', '1 when the ledger could be written last.', instances.trouble() === undefined ? 1 : 0);
    gauge('instances', 'Processes on this ledger, this one among them.', instances.count);
    gauge(
      'instances_different',
      'Processes whose policy or vendor is not that of the last started.',
      instances.different,
    );
    new Gauge({
      name: 'proxy_desk_build_info',
      help: '1, with the version that runs and the digest of the policy in force.',
      labelNames: ['version', 'policy'],
      registers: [registry],
    }).set({ version, policy: policy() }, 1);
    if (counts) ofLedger(registry, counts);
    return registry;
  }

  async #counts(): Promise<Counts | undefined> {
    const { clock, counts } = this.#deps;
    const age = clock.monotonic() - (this.#counted?.at ?? -Infinity);
    // One that hangs is not joined by a second.
    if (!this.#counted || (age >= COUNTED_AGAIN_AFTER_MS && !this.#isCounting)) {
      this.#isCounting = true;
      const found = counts()
        .catch(() => undefined)
        .finally(() => {
          this.#isCounting = false;
        });
      this.#counted = { at: clock.monotonic(), counts: found };
    }
    return within(clock, COUNTED_WITHIN_MS, this.#counted.counts, undefined);
  }
}

function ofLedger(registry: Registry, counts: Counts): void {
  const registers = [registry];
  new Gauge({ name: 'proxy_desk_frozen', help: '1 when spending is frozen.', registers }).set(counts.frozen ? 1 : 0);
  const purchases = new Gauge({
    name: 'proxy_desk_purchases',
    help: 'Purchases by state and kind.',
    labelNames: ['state', 'kind'],
    registers,
  });
  for (const state of STATES) for (const kind of KINDS) purchases.set({ state, kind }, 0);
  for (const { state, kind, count } of counts.purchases) purchases.set({ state, kind }, count);
  new Gauge({
    name: 'proxy_desk_notices_undelivered',
    help: 'Messages owed that Slack has not taken yet.',
    registers,
  }).set(counts.notices.count);
  const oldest = new Gauge({
    name: 'proxy_desk_oldest_seconds',
    help: 'Age of the oldest purchase in a state that is not an end, of the oldest message that was never posted, of the longest due balance reading; 0 where there is none.',
    labelNames: ['of'],
    registers,
  });
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, counts.now - since) / 1_000);
  for (const state of OPEN_STATES) {
    const since = counts.purchases.flatMap((one) => (one.state === state ? [one.since ?? counts.now] : []));
    oldest.set({ of: state }, since.length === 0 ? 0 : age(Math.min(...since)));
  }
  oldest.set({ of: 'notice' }, age(counts.notices.since));
  oldest.set({ of: 'reading' }, age(counts.readings.since));
}
