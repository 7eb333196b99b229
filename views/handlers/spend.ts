import { isRefusal } from '../../src/purchasing/model/refusals.ts';
import type { SpendQuery } from '../../src/purchasing/model/spend.ts';
import { spendCsv } from '../../src/purchasing/rules/spend-csv.ts';
import type { ActionArgs, CommandArgs, HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { spendChart } from '../charts.ts';
import { ACTION } from '../ids.ts';
import { readSpendValue, spendMessage } from '../spend.ts';
import { showChart } from './charts.ts';
import { idCarried, refusalFor, tell, userOf } from './reply.ts';

export function registerSpend(on: Listeners, context: HandlerContext): void {
  on.action(ACTION.downloadCsv, (args) => downloadCsv(context, args));
}

/** `/proxy spend` */
export async function showSpend(context: HandlerContext, args: CommandArgs, query: SpendQuery): Promise<void> {
  const report = await context.spending.report(userOf(args), query);
  if (isRefusal(report)) return tell(args, refusalFor(context, args, report, 'see what was spent'));
  await tell(args, spendMessage(report));
  await showChart(context, args, await spendChart(report));
}

/** By direct message: a file has no "only visible to you". */
async function downloadCsv(context: HandlerContext, args: ActionArgs): Promise<void> {
  await args.ack();
  const user = userOf(args);
  const query = readSpendValue(idCarried(args));
  if (!query) return tell(args, 'This report is out of date: type `/proxy spend` for a new one.');
  const report = await context.spending.report(user, query);
  if (isRefusal(report)) return tell(args, refusalFor(context, args, report, 'see what was spent'));
  const { facts, spend } = report;
  const title = `Spending, ${query.period}`;
  const content = Buffer.from(await spendCsv(facts, spend));
  const file = { name: `spending-${dayOf(facts.span.from)}-to-${dayOf(facts.span.to)}.csv`, title, content };
  const words = `${title}: each movement of the balance, with the purchases that explain it. Times are in UTC.`;
  const shared = await context.files.share({ user }, file, words);
  if ('fileId' in shared) return tell(args, 'The CSV is in your direct messages with Proxy Desk.');
  context.log.warn({ why: shared.why }, 'a file could not be put into Slack');
  await tell(args, notShared(shared.why));
}

function notShared(why: string): string {
  return why === 'missing_scope'
    ? 'Slack does not take the file: the app lacks the scope `files:write`. An admin adds it and installs the app again; `npm run --silent ledger -- spend --csv` gives the same.'
    : 'Slack did not take the file. Press again in a minute.';
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
