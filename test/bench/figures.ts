const SIDES = ['bare', 'ours'] as const;
export type Side = (typeof SIDES)[number];

/** One thing measured on both sides, alternating. Only their ratio means something on a machine that others use too. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** The ratio that is aimed at; where more is better, the least. */
  readonly target?: number;
  readonly moreIsBetter?: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** @param share 0.99: what 99 of 100 stay below */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs that stand next to each other are compared: what disturbs one mostly disturbs the other. */
function ratiosOf({ ours, bare }: Figure): readonly number[] {
  return ours.map((value, index) => value / (bare[index] ?? Number.NaN));
}

/** Several significant digits are noise. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, unit, ours, bare, target, moreIsBetter = false } = figure;
    const ratios = ratiosOf(figure);
    const ratio = median(ratios);
    const spread = `${short(Math.min(...ratios))}–${short(Math.max(...ratios))}`;
    const isReached = target === undefined || (moreIsBetter ? ratio >= target : ratio <= target);
    const wanted = target === undefined ? '–' : `${moreIsBetter ? '≥' : '≤'} ${target} ${isReached ? '✓' : '✗'}`;
    return `| ${what} | ${short(median(bare))} ${unit} | ${short(median(ours))} ${unit} | **${short(ratio)}** | ${spread} | ${wanted} |`;
  });
  return [
    '| what | bare | Proxy Desk | ratio | spread | target |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The two sides run one after the other, in turns, so many times. */
export async function alternate<T>(
  rounds: number,
  run: (side: Side) => Promise<T>,
): Promise<Readonly<Record<Side, readonly T[]>>> {
  const found: Record<Side, T[]> = { bare: [], ours: [] };
  for (let round = 0; round < rounds; round += 1) for (const side of SIDES) found[side].push(await run(side));
  return found;
}

/** One number of each run. */
export function each<T>(
  { bare, ours }: Readonly<Record<Side, readonly T[]>>,
  pick: (run: T) => number,
): Pick<Figure, Side> {
  return { bare: bare.map(pick), ours: ours.map(pick) };
}
