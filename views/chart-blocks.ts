import { type BalanceChart, POINTS_MOST, type SpendChart } from '../src/purchasing/model/chart.ts';
import { type Block, context, type DrawnMessage } from './blocks.ts';
import type { DrawnChart } from './charts.ts';
import { plain } from './text.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How moments are told of a time that is at least so long, and how far apart they must lie to read differently. */
const SCALES = [
  { least: 7 * DAY_MS, apart: DAY_MS, told: { month: 'short', day: 'numeric' } },
  { least: HOUR_MS, apart: 60_000, told: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } },
  { least: 0, apart: 1_000, told: { hour: '2-digit', minute: '2-digit', second: '2-digit' } },
] as const;

/**
 * Slack's own chart, as <https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block> has it: a title of 50 characters,
 * 1 to 6 series of 1 to 20 points, each category once in each, names of 20 characters. @slack/types does not know it.
 */
interface DataVisualization {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: {
    readonly type: 'line' | 'bar';
    readonly series: readonly Series[];
    readonly axis_config: { readonly categories: readonly string[]; readonly y_label: string };
  };
}

interface Series {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
}

/** Slack's own chart, which a reader's theme colours; it has no field for its description, which stands below it. */
export function chartMessage({ chart, alt }: DrawnChart): DrawnMessage {
  const block: DataVisualization = {
    type: 'data_visualization',
    title: chart.title,
    chart: chart.kind === 'balance' ? line(chart) : bars(chart),
  };
  return { text: alt, blocks: [block as unknown as Block, context(alt)] };
}

/** @param fileId of the uploaded picture */
export function pictureMessage(fileId: string, { chart, alt }: DrawnChart): DrawnMessage {
  return {
    text: chart.title,
    blocks: [{ type: 'image', slack_file: { id: fileId }, alt_text: plain(alt, 1_900).text }],
  };
}

function bars({ bars: categories, series }: SpendChart): DataVisualization['chart'] {
  return {
    type: 'bar',
    series: series.map(({ name, dollars }) => seriesOf(name, categories, dollars)),
    axis_config: { categories, y_label: 'Dollars' },
  };
}

/** The balance as it was known at moments that lie evenly; and beside it what purchases took since the one before. */
function line({ points, marks }: BalanceChart): DataVisualization['chart'] {
  const [from = 0, to = 0] = [points[0]?.at, points.at(-1)?.at];
  const { apart, told } = SCALES.find(({ least }) => to - from >= least) ?? SCALES[2];
  const format = new Intl.DateTimeFormat('en-US', { ...told, hourCycle: 'h23', timeZone: 'UTC' });
  const moments = evenly(from, to, Math.min(POINTS_MOST - 1, Math.floor((to - from) / apart)));
  const categories = moments.map((at) => format.format(at));
  const balances = moments.map((at) => points.findLast((point) => point.at <= at)?.dollars ?? 0);
  const spent = moments.map((at, nth) => {
    const before = moments[nth - 1] ?? Number.NEGATIVE_INFINITY;
    return cents(marks.reduce((sum, mark) => (mark.at > before && mark.at <= at ? sum + mark.spent : sum), 0));
  });
  const series = [seriesOf('Balance', categories, balances)];
  if (marks.length > 0) series.push(seriesOf('Spent by purchases', categories, spent));
  return { type: 'line', series, axis_config: { categories, y_label: 'Dollars' } };
}

/** First and last, with so many steps from one to the other; the last alone where there is none. */
function evenly(from: number, to: number, steps: number): readonly number[] {
  if (steps < 1) return [to];
  return Array.from({ length: steps + 1 }, (_, nth) => Math.round(from + ((to - from) * nth) / steps));
}

function seriesOf(name: string, categories: readonly string[], values: readonly number[]): Series {
  return { name, data: categories.map((label, nth) => ({ label, value: values[nth] ?? 0 })) };
}

/** For the eye alone: sums of money are made elsewhere. */
function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
