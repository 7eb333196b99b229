import { Worker } from 'node:worker_threads';
import type { Chart } from '../purchasing/model/chart.ts';
import type { Charts } from '../purchasing/ports/charts.ts';
import type { Log } from '../purchasing/ports/log.ts';

/** Drawing takes half a second; on a machine that is at work already, several. */
const DRAWN_WITHIN_MS = 15_000;

/** One is drawn at a time, and so many wait: a thread takes 50 MB and a processor. Whoever asks beyond that has all figures in words. */
const WAITING_AT_MOST = 4;

/**
 * Draws each chart in a thread of its own, which ends with it: the libraries are large and seldom needed, and whoever clicks a button
 * meanwhile must not wait for a picture.
 */
export function createCharts(log: Log): Charts {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async draw(chart) {
      if (waiting > WAITING_AT_MOST) return null;
      waiting += 1;
      const drawing = last.then(() => drawn(chart));
      last = drawing
        .catch(() => undefined)
        .finally(() => {
          waiting -= 1;
        });
      try {
        return await drawing;
      } catch (err) {
        log.warn({ err }, 'a chart could not be drawn');
        return null;
      }
    },
  };
}

async function drawn(chart: Chart): Promise<Uint8Array> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: chart });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('drawing took too long')), DRAWN_WITHIN_MS);
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the drawing thread ended without a picture')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
