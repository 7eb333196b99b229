import type { Ledger } from '../purchasing/ports/ledger.ts';
import type { Outbox } from '../purchasing/ports/outbox.ts';
import type { InstanceWatch } from './instances.ts';

export interface MetricsDeps {
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
