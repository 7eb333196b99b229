import { type Dict, dictAt, dictsAt, listAt } from '../json.ts';
import { anything, byType, type Check, list, object, type Report, string } from './check.ts';

// docs.slack.dev, data visualization block. Undocumented, and seen of the real one by others: two a message at most. Bars and lines alone
// are what the product sends.

const SERIES_MAX = 6;
const POINTS_MAX = 20;
const CHARTS_MAX = 2;
const name = string({ max: 20 });

const number: Check = (value, at, report) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) report(at, 'must provide a number');
};

const point = object({ 'label!': name, 'value!': number });
const series = object({ 'name!': name, 'data!': list(point, { min: 1, max: POINTS_MAX }) });
const axis = object({
  'categories!': list(name, { min: 1, max: POINTS_MAX }),
  x_label: string({ max: 50 }),
  y_label: string({ max: 50 }),
});
const ofSeries = object(
  { type: anything, 'series!': list(series, { min: 1, max: SERIES_MAX }), 'axis_config!': axis },
  eachCategoryOnce,
);

export const chartFields = {
  'title!': string({ max: 50 }),
  'chart!': byType({ bar: ofSeries, line: ofSeries }),
};

function eachCategoryOnce(chart: Dict, at: string, report: Report): void {
  const all = dictsAt(chart, 'series');
  const names = all.map((one) => one['name']);
  if (new Set(names).size < names.length) report(`${at}/series`, 'series names must be unique');
  const categories = listAt(dictAt(chart, 'axis_config'), 'categories');
  if (new Set(categories).size < categories.length) report(`${at}/axis_config/categories`, 'categories must be unique');
  all.forEach((one, nth) => {
    const labels = dictsAt(one, 'data').map(({ label }) => label);
    const isWhole = labels.length === categories.length && categories.every((category) => labels.includes(category));
    if (!isWhole) report(`${at}/series/${nth}/data`, 'must have each category of axis_config exactly once');
  });
}

export function fewCharts(blocks: Dict[], at: string, report: Report): void {
  if (blocks.filter(isChart).length > CHARTS_MAX) report(at, `no more than ${CHARTS_MAX} charts allowed`);
}

export function isChart(block: Dict): boolean {
  return block['type'] === 'data_visualization';
}
