import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BotProcess } from '../support/bot.ts';
import { alternate, each, type Figure, type Side } from './figures.ts';
import { costsOf, launchLedger, launchSide, msToReady, openPlace, ROOT } from './sides.ts';

const WARM_ROUNDS = 11;
const FIRST_ROUNDS = 5;

/** From the launch until commands are answered, in Socket Mode; and the ledger command on a small ledger. */
export async function measureStart(): Promise<readonly Figure[]> {
  const site = await openPlace('socket');
  try {
    const start = async (side: Side) => {
      const { bot, ms } = await msToReady(() => launchSide(site, side));
      const { cpuMs } = costsOf(bot);
      await bot.end('SIGTERM');
      return { ms, cpuMs };
    };
    const list = (side: Side) => msToEnd(() => launchLedger(site, side, 'list', '--json'));
    const forgetful =
      <T>(run: (side: Side) => Promise<T>) =>
      (side: Side) => {
        rmSync(join(ROOT, '.cache'), { recursive: true, force: true });
        return run(side);
      };
    const first = await alternate(FIRST_ROUNDS, forgetful(start));
    const warm = await alternate(WARM_ROUNDS, start);
    const firstList = await alternate(FIRST_ROUNDS, forgetful(list));
    const warmList = await alternate(WARM_ROUNDS, list);
    const took = ({ ms }: { readonly ms: number }) => ms;
    const worked = ({ cpuMs }: { readonly cpuMs: number }) => cpuMs;
    return [
      { what: 'start until commands are answered', unit: 'ms', ...each(warm, took), target: 1.25 },
      { what: '– of it the processor’s time', unit: 'ms', ...each(warm, worked) },
      { what: 'the very first start', unit: 'ms', ...each(first, took), target: 1.8 },
      { what: '– of it the processor’s time', unit: 'ms', ...each(first, worked) },
      { what: '`ledger list --json`, beside a bare `node:sqlite` script', unit: 'ms', ...warmList, target: 1.5 },
      { what: 'the very first `ledger list --json`', unit: 'ms', ...firstList },
    ];
  } finally {
    await site.close();
  }
}

async function msToEnd(launching: () => BotProcess): Promise<number> {
  const before = performance.now();
  const program = launching();
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`it ended with ${code}: ${program.stderr}`);
  return performance.now() - before;
}
