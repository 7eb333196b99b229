import type { CommandArgs, HandlerContext } from '../../src/slack/listeners.ts';
import { chartBlock, type DrawnChart } from '../charts.ts';
import { respondOnly, userOf } from './reply.ts';

/** Slack has once refused a picture in a private answer: from then on it comes by direct message. */
const refusedBy = new WeakSet<HandlerContext>();

/** After the words, which wait for no picture. Where it does not come, nothing is missing: all its figures were said. */
export async function showChart(context: HandlerContext, args: CommandArgs, drawn: DrawnChart | null): Promise<void> {
  if (drawn === null) return;
  const { chart, alt } = drawn;
  const content = await context.charts.draw(chart);
  if (content === null) return;
  const { files, log } = context;
  const file = { name: `${chart.kind}.png`, title: chart.title, content, altText: alt.slice(0, 1_000) };
  if (!refusedBy.has(context)) {
    const uploaded = await files.upload(file);
    if (!('fileId' in uploaded)) return log.warn({ why: uploaded.why }, 'a chart could not be put into Slack');
    const shown = await respondOnly(args, { text: chart.title, blocks: [chartBlock(uploaded.fileId, alt)] });
    if (shown) return;
    refusedBy.add(context);
    log.warn({}, 'Slack takes no picture in a private answer: charts come by direct message');
  }
  const shared = await files.share({ user: userOf(args) }, file, alt);
  if (!('fileId' in shared)) log.warn({ why: shared.why }, 'a chart could not be put into Slack');
}
