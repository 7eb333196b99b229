import { type Clock, within } from '../purchasing/ports/clock.ts';
import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { Outbox } from '../purchasing/ports/outbox.ts';
import type { InstanceWatch } from './instances.ts';

interface ReadinessDeps {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'freeze'>;
  /** Each returns why commands would not be answered, or undefined. */
  readonly checks: readonly (() => string | undefined)[];
}

/** Health checks wait only briefly; a database slower than this does not serve people either. */
const LEDGER_ANSWERS_WITHIN_MS = 1_000;

/** Whether commands would be answered now: the bot is set up, is not stopping, and Slack and the ledger are there. */
export class Readiness {
  readonly #deps: ReadinessDeps;
  #phase: { readonly waitsFor: string } | 'serving' | 'stopping' = { waitsFor: 'not connected to Slack yet' };

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  get isServing(): boolean {
    return this.#phase === 'serving';
  }

  waitsFor(why: string): void {
    if (this.#phase !== 'stopping') this.#phase = { waitsFor: why };
  }

  serves(): void {
    if (this.#phase !== 'stopping') this.#phase = 'serving';
  }

  stops(): void {
    this.#phase = 'stopping';
  }

  /** Why a command would not be answered; undefined when it would. */
  async whyNot(): Promise<string | undefined> {
    if (this.#phase === 'stopping') return 'stopping';
    if (this.#phase !== 'serving') return this.#phase.waitsFor;
    const { clock, ledger, checks } = this.#deps;
    for (const check of checks) {
      const why = check();
      if (why !== undefined) return why;
    }
    const asked = ledger.freeze().then(
      () => undefined,
      () => 'the ledger cannot be read',
    );
    return within(clock, LEDGER_ANSWERS_WITHIN_MS, asked, 'the ledger does not answer in time');
  }
}

interface MetricsDeps {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly instances: Pick<InstanceWatch, 'count' | 'different'>;
  readonly whyNotReady: () => Promise<string | undefined>;
}

/** The metrics, in Prometheus' text format. */
export async function metricsText({ ledger, outbox, instances, whyNotReady }: MetricsDeps): Promise<string> {
  const trouble = await whyNotReady();
  const ready = gauge('ready', '1 when commands are answered.', trouble === undefined ? 1 : 0);
  // Omit the gauges when the ledger is unreadable; alerts on absence fire.
  const counted = await Promise.all([ledger.countByState(), outbox.undelivered(), ledger.freeze()]).catch(
    () => undefined,
  );
  if (!counted) return ready.join('\n');
  const [purchases, notices, freeze] = counted;
  return [
    ...ready,
    ...gauge('frozen', '1 when spending is frozen.', freeze ? 1 : 0),
    '# HELP proxy_desk_purchases Purchases by state.',
    '# TYPE proxy_desk_purchases gauge',
    ...Object.entries(purchases).map(([state, count]) => `proxy_desk_purchases{state="${state}"} ${count}`),
    ...gauge('notices_undelivered', 'Messages owed that Slack has not taken yet.', notices),
    ...gauge('instances', 'Processes on this ledger, this one among them.', instances.count),
    ...gauge(
      'instances_different',
      'Processes whose policy or vendor is not that of the last started.',
      instances.different,
    ),
  ].join('\n');
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP proxy_desk_${name} ${help}`, `# TYPE proxy_desk_${name} gauge`, `proxy_desk_${name} ${value}`];
}
