import type { Ledger } from './purchasing/ports.ts';

/** For Prometheus, in its text format: what somebody on call wants to be woken for. */
export async function metricsText(ledger: Ledger, whyNotReady: () => Promise<string | undefined>): Promise<string> {
  const [purchases, notices, freeze, trouble] = await Promise.all([
    ledger.countByState(),
    ledger.undelivered(),
    ledger.freeze(),
    whyNotReady(),
  ]);
  const lines = [
    '# HELP proxy_desk_ready 1 when commands are answered.',
    '# TYPE proxy_desk_ready gauge',
    `proxy_desk_ready ${trouble === undefined ? 1 : 0}`,
    '# HELP proxy_desk_frozen 1 when spending is frozen.',
    '# TYPE proxy_desk_frozen gauge',
    `proxy_desk_frozen ${freeze ? 1 : 0}`,
    '# HELP proxy_desk_purchases Purchases by state.',
    '# TYPE proxy_desk_purchases gauge',
    ...Object.entries(purchases).map(([state, count]) => `proxy_desk_purchases{state="${state}"} ${count}`),
    '# HELP proxy_desk_notices_undelivered Messages owed that Slack has not taken yet.',
    '# TYPE proxy_desk_notices_undelivered gauge',
    `proxy_desk_notices_undelivered ${notices}`,
  ];
  return lines.join('\n');
}
