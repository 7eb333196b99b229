import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import {
  BarController,
  BarElement,
  CategoryScale,
  type ChartConfiguration,
  Chart as Drawing,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  Title,
} from 'chart.js';
import type { BalanceChart, Chart, SpendChart } from '../purchasing/model/chart.ts';

// A picture of its own dark ground: Slack shows one picture to all, and a light one dazzles whoever reads in the dark, while this one
// reads the same on either. Letters are large, since a phone shows it at less than half its width.

const [WIDTH, HEIGHT, SCALE] = [760, 380, 2];
const DAY_MS = 86_400_000;
const FONT = 'Roboto';
const COLOURS = { ground: '#2f343c', text: '#e8e9eb', faint: '#4a515c', line: '#58b0f0', mark: '#ff8fb3' };
/** Told apart by people who do not see red and green apart. */
const SERIES = ['#58b0f0', '#f2a54a', '#b5b9c0'];

/** A server has no fonts; of a character that this one lacks a box is drawn, and titles here have none such. */
for (const face of [
  import.meta.resolve('roboto-fontface/fonts/roboto/Roboto-Regular.woff2'),
  import.meta.resolve('roboto-fontface/fonts/roboto/Roboto-Bold.woff2'),
])
  GlobalFonts.registerFromPath(fileURLToPath(face), FONT);

Drawing.register(
  BarController,
  BarElement,
  CategoryScale,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  Title,
);
Drawing.defaults.font = { family: FONT, size: 22 };
Drawing.defaults.color = COLOURS.text;

function draw(chart: Chart): Uint8Array {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const config = chart.kind === 'balance' ? balance(chart) : spend(chart);
  const drawing = new Drawing(canvas as never, { ...config, plugins: [ground] });
  const png = canvas.toBuffer('image/png');
  drawing.destroy();
  return png;
}

const ground = {
  id: 'ground',
  beforeDraw({ ctx, width, height }: Drawing) {
    ctx.fillStyle = COLOURS.ground;
    ctx.fillRect(0, 0, width, height);
  },
};

function options(title: string) {
  return {
    animation: false,
    responsive: false,
    devicePixelRatio: SCALE,
    // The last day's name stands half beyond the axis.
    layout: { padding: { top: 16, right: 36, bottom: 16, left: 16 } },
    plugins: {
      title: {
        display: true,
        text: title,
        align: 'start',
        color: COLOURS.text,
        font: { size: 26, weight: 'bold' },
        padding: { bottom: 16 },
      },
      legend: { position: 'bottom', labels: { usePointStyle: true, boxHeight: 12 } },
    },
  } as const;
}

const money = {
  beginAtZero: true,
  grid: { color: COLOURS.faint },
  ticks: { maxTicksLimit: 5, callback: (value: number | string) => `$${Number(value).toLocaleString('en-US')}` },
};

function balance({ title, points, marks }: BalanceChart): ChartConfiguration {
  const at = (point: { readonly at: number; readonly dollars: number }) => ({ x: point.at, y: point.dollars });
  const [first = 0, last = 1] = [points[0]?.at, points.at(-1)?.at];
  // Whole days, or the same day would stand there twice.
  const stepSize = Math.max(1, Math.round((last - first) / 4 / DAY_MS)) * DAY_MS;
  const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return {
    type: 'line',
    data: {
      datasets: [
        {
          type: 'scatter',
          label: 'Purchase',
          data: marks.map(at),
          pointRadius: 7,
          backgroundColor: COLOURS.mark,
          borderColor: COLOURS.ground,
        },
        {
          label: 'Balance',
          data: points.map(at),
          stepped: 'before',
          pointRadius: 0,
          pointStyle: 'line',
          borderWidth: 4,
          borderColor: COLOURS.line,
        },
      ],
    },
    options: {
      ...options(title),
      scales: {
        x: {
          type: 'linear',
          min: first,
          max: last,
          grid: { display: false },
          ticks: { stepSize, maxRotation: 0, callback: (value) => day.format(Number(value)) },
        },
        y: money,
      },
    },
  };
}

function spend({ title, bars, series }: SpendChart): ChartConfiguration {
  return {
    type: 'bar',
    data: {
      labels: [...bars],
      datasets: series.map(({ name, dollars }, nth) => ({
        label: name,
        data: [...dollars],
        backgroundColor: SERIES[nth % SERIES.length] ?? COLOURS.line,
        pointStyle: 'rect',
      })),
    },
    options: {
      ...options(title),
      scales: {
        x: { stacked: true, grid: { display: false }, ticks: { maxTicksLimit: 7, maxRotation: 0 } },
        y: { ...money, stacked: true },
      },
    },
  };
}

parentPort?.postMessage(draw(workerData as Chart));
