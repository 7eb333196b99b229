import type { CommandArgs, HandlerContext } from '../../src/slack/listeners.ts';
import { chartMessage, pictureMessage } from '../chart-blocks.ts';
import type { DrawnChart } from '../charts.ts';
import { respondOnly, userOf } from './reply.ts';

/** Two ways of showing a chart in a private answer. */
type Way = 'chart' | 'picture';

/** What Slack has once refused in a private answer, which this process does not try again. */
const refusedBy = new WeakMap<HandlerContext, Set<Way>>();

/**
 * After the words, which wait for no chart: Slack's own, where it takes one, else a picture of the same; by direct message where a private
 * answer takes neither. Where Slack gave no answer it may be there, and none follows. Where none comes its figures were said in words.
 */
export async function showChart(context: HandlerContext, args: CommandArgs, drawn: DrawnChart | null): Promise<void> {
  if (drawn === null) return;
  const { log } = context;
  const refused = refusedBy.get(context) ?? new Set();
  refusedBy.set(context, refused);
  if (!refused.has('chart')) {
    const answer = await respondOnly(args, chartMessage(drawn));
    if (answer === 'unsure') log.warn({}, 'it is not known whether Slack has shown a chart');
    if (answer === 'shown' || answer === 'unsure') return;
    if (answer === 'refused') {
      refused.add('chart');
      log.warn({}, 'Slack does not take its own charts in a private answer: they come as pictures');
    }
  }
  await showPicture(context, args, drawn, refused);
}

async function showPicture(
  { charts, files, log }: HandlerContext,
  args: CommandArgs,
  drawn: DrawnChart,
  refused: Set<Way>,
): Promise<void> {
  const { chart, alt } = drawn;
  const content = await charts.draw(chart);
  if (content === null) return;
  const file = { name: `${chart.kind}.png`, title: chart.title, content, altText: alt.slice(0, 1_000) };
  if (!refused.has('picture')) {
    const uploaded = await files.upload(file);
    if (!('fileId' in uploaded)) return log.warn({ why: uploaded.why }, 'a chart could not be put into Slack');
    const answer = await respondOnly(args, pictureMessage(uploaded.fileId, drawn));
    if (answer === 'unsure') log.warn({}, 'it is not known whether Slack has shown a chart');
    if (answer === 'shown' || answer === 'unsure') return;
    if (answer === 'refused') {
      refused.add('picture');
      log.warn({}, 'Slack takes no picture in a private answer: charts come by direct message');
    }
  }
  const shared = await files.share({ user: userOf(args) }, file, alt);
  if (!('fileId' in shared)) log.warn({ why: shared.why }, 'a chart could not be put into Slack');
}
