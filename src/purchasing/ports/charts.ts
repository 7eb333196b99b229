import type { Chart } from '../model/chart.ts';

/** Draws charts as pictures. */
export interface Charts {
  /** @returns a PNG; null where it could not be drawn: whoever asked has the figures in words. */
  draw(chart: Chart): Promise<Uint8Array | null>;
}
