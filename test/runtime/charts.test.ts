import { expect, test } from 'vitest';
import { createCharts } from '../../src/charts/index.ts';
import type { Chart } from '../../src/purchasing/model/chart.ts';
import { createLog } from '../../src/runtime/log.ts';

const CHART: Chart = { kind: 'spend', title: 'Spent', bars: ['1 Mar'], series: [{ name: 'ours', dollars: [1] }] };

test('however many ask at once, charts are drawn one after the other; whoever asks beyond a few has the words alone', async () => {
  const charts = createCharts(createLog('silent', [], {}));
  const drawn = await Promise.all(Array.from({ length: 8 }, () => charts.draw(CHART)));
  expect(drawn.map((picture) => picture !== null)).toEqual([true, true, true, true, true, false, false, false]);
  expect(await charts.draw(CHART)).not.toBeNull();
});
