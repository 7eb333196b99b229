import { describe, drawPlan, type Means } from './plan.ts';
import { playRound } from './round.ts';
import { canMount, canSetImmutable } from './small-disk.ts';
import { postgresDatabases } from './storage.ts';
import { startTally, type Tally } from './tally.ts';

export interface CampaignOptions {
  readonly rounds: number;
  /** Of the first round; each has the next number. */
  readonly seed: number;
  readonly database: 'sqlite' | 'postgres';
  readonly replicas: number;
  readonly atOnce: number;
  readonly say: (line: string) => void;
}

const TELL_EVERY = 10;

export async function runCampaign(options: CampaignOptions): Promise<Tally> {
  const { rounds, seed, database, atOnce, say } = options;
  const means = meansOf(options);
  const databases = database === 'postgres' ? await postgresDatabases() : undefined;
  const tally = startTally();
  const began = performance.now();
  let next = 0;
  const playOn = async () => {
    while (next < rounds) {
      const plan = drawPlan(seed + next, means);
      next += 1;
      const report = await playRound(plan, databases);
      tally.add(report);
      if (report.violations.length > 0) say(`VIOLATION ${describe(plan)}\n${report.violations.join('\n')}`);
      if (tally.rounds % TELL_EVERY !== 0) continue;
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      say(`${tally.rounds} of ${rounds} rounds, ${tally.violations} violations, ${seconds} s`);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, playOn));
  } finally {
    await databases?.close();
  }
  return tally;
}

/** What this machine lets us do to a disk; what it does not is left out, and said. */
function meansOf({ database, replicas, say }: CampaignOptions): Means {
  if (database === 'postgres') return { database, replicas, smallDisk: false, immutable: false };
  const means: Means = { database, replicas, smallDisk: canMount(), immutable: canSetImmutable() };
  if (!means.smallDisk) say('left out: a full disk (mounting a small one needs root)');
  if (!means.immutable) say('left out: a read-only ledger (chattr needs root, and a disk that knows it)');
  return means;
}
