import { type Dict, dictAt, dictsAt, listAt, textAt } from '../slack/json.ts';
import { readChart } from '../slack/text.ts';

// As Slack's clients draw it: lines, or bars side by side, in the colours of the reader's theme.

const [WIDTH, HEIGHT] = [360, 190];
const PLOT = { left: 46, right: WIDTH - 6, top: 8, bottom: HEIGHT - 26 };
const LABELS_SHOWN = 5;
/** Of a letter of a label, at most; so that none lies over the next. */
const LETTER = 6.5;

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

interface Plot {
  readonly series: readonly Series[];
  readonly count: number;
  readonly y: (value: number) => number;
}

/** A chart block. Its figures are its name, for whoever does not see it. */
export function Chart({ block }: { block: Dict }) {
  const chart = dictAt(block, 'chart');
  const axis = dictAt(chart, 'axis_config');
  const categories = listAt(axis, 'categories').map(String);
  const series = dictsAt(chart, 'series').map((one): Series => {
    const points = new Map(dictsAt(one, 'data').map(({ label, value }) => [String(label), Number(value)]));
    return {
      name: textAt(one, 'name') ?? '',
      values: categories.map((category) => points.get(category) ?? 0),
    };
  });
  const ticks = ticksOf(series.flatMap(({ values }) => values));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number) => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  const plot: Plot = { series, count: categories.length, y };
  const room = (PLOT.right - PLOT.left) / (LETTER * (Math.max(0, ...categories.map(({ length }) => length)) + 2));
  const labels = Math.max(1, Math.min(LABELS_SHOWN, Math.floor(room)));
  return (
    <figure class="chart">
      <figcaption>
        <strong>{textAt(block, 'title')}</strong>
        {textAt(axis, 'y_label') && <span class="chart-quiet">{textAt(axis, 'y_label')}</span>}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={readChart(block)}>
        {ticks.map((tick) => (
          <g key={String(tick)}>
            <line class="chart-grid" x1={PLOT.left} x2={PLOT.right} y1={y(tick)} y2={y(tick)} />
            <text class="chart-quiet" x={PLOT.left - 8} y={y(tick) + 4} text-anchor="end">
              {tick.toLocaleString('en-US')}
            </text>
          </g>
        ))}
        {categories.map((category, nth) =>
          nth % Math.ceil(categories.length / labels) === 0 ? (
            <text class="chart-quiet" key={category} x={middle(plot, nth)} y={HEIGHT - 6} text-anchor="middle">
              {category}
            </text>
          ) : null,
        )}
        {textAt(chart, 'type') === 'line' ? <Lines plot={plot} /> : <Bars plot={plot} />}
      </svg>
      <ul class="chart-legend">
        {series.map(({ name }, nth) => (
          <li key={name}>
            <span class={colour(nth)} aria-hidden="true">
              ●
            </span>{' '}
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function Lines({ plot }: { plot: Plot }) {
  return (
    <>
      {plot.series.map(({ name, values }, nth) => (
        <g class={`chart-line ${colour(nth)}`} key={name}>
          <polyline points={values.map((value, at) => `${middle(plot, at)},${plot.y(value)}`).join(' ')} />
          {values.map((value, at) => (
            <circle key={String(at)} cx={middle(plot, at)} cy={plot.y(value)} r={2.5} />
          ))}
        </g>
      ))}
    </>
  );
}

function Bars({ plot }: { plot: Plot }) {
  const { series, count, y } = plot;
  const width = ((PLOT.right - PLOT.left) / count / (series.length + 0.5)) * 0.9;
  return (
    <>
      {series.map(({ name, values }, nth) =>
        values.map((value, at) => {
          const [top, height] = [Math.min(y(value), y(0)), Math.abs(y(value) - y(0))];
          const x = middle(plot, at) + (nth - series.length / 2) * width;
          return (
            <rect class={`chart-bar ${colour(nth)}`} key={`${name} ${String(at)}`} {...{ x, y: top, width, height }} />
          );
        }),
      )}
    </>
  );
}

function middle({ count }: Plot, nth: number): number {
  return PLOT.left + ((nth + 0.5) * (PLOT.right - PLOT.left)) / count;
}

function colour(nth: number): string {
  return `chart-colour-${nth % 6}`;
}

/** Round numbers from at most zero to above the highest. */
function ticksOf(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (high - low || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step || 1) - first + 1 }, (_, nth) => (first + nth) * step);
}
