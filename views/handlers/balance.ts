import type { BalanceReading } from '../../src/purchasing/model/answer.ts';
import type { CommandArgs, HandlerContext } from '../../src/slack/listeners.ts';
import { balanceText } from '../balance.ts';
import type { DrawnMessage } from '../blocks.ts';
import { balanceChart, type DrawnChart } from '../charts.ts';
import { showChart } from './charts.ts';
import { tell } from './reply.ts';

interface Drawn {
  readonly words: DrawnMessage;
  readonly chart: DrawnChart | null;
}

/** Whoever asks in the same moment has the same reading; what stands beside it was read after it, once for all of them. */
const drawn = new WeakMap<BalanceReading, Promise<Drawn>>();

export async function showBalance(context: HandlerContext, args: CommandArgs): Promise<void> {
  const reading = await context.purchasing.balance('command');
  const drawing = drawn.get(reading) ?? draw(context, reading);
  drawn.set(reading, drawing);
  const { words, chart } = await drawing;
  await tell(args, words);
  await showChart(context, args, chart);
}

/** Asks the ledger alone. */
async function draw({ ledger, spending, log }: HandlerContext, reading: BalanceReading): Promise<Drawn> {
  const [open, freeze, outlook] = await Promise.all([
    ledger.open(),
    ledger.freeze(),
    spending.outlook().catch((err: unknown) => {
      log.error({ err }, 'what the balance was could not be read');
      return null;
    }),
  ]);
  return {
    words: balanceText(reading, open, freeze, outlook),
    chart: outlook && (await balanceChart(reading, outlook)),
  };
}
