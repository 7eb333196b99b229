import type { BalanceReading } from './model/answer.ts';
import type { Instance } from './ports/instances.ts';
import type { Ledger, LedgerReads } from './ports/ledger.ts';
import type { Status, StatusReads } from './ports/status.ts';
import { type LaneStanding, laneStanding } from './rules/waiting.ts';

/** How the bot stands, for those who approve. */
export interface DeskStatus {
  readonly status: Status;
  readonly lane: LaneStanding;
  /** The last one that this process has taken; null where it has taken none. */
  readonly reading: BalanceReading | null;
  /** The process that answers. */
  readonly me: string;
}

export interface DeskStatusDeps {
  readonly status: Pick<StatusReads, 'status'>;
  readonly ledger: Pick<Ledger, 'lane'> & Pick<LedgerReads, 'open'>;
  readonly lastReading: () => BalanceReading | null;
  /** This process as it is now; in the ledger it stands as it was some seconds ago. */
  readonly me: () => Omit<Instance, 'startedAt'>;
}

export async function deskStatus({ status, ledger, lastReading, me }: DeskStatusDeps): Promise<DeskStatus> {
  const [found, lane, open] = await Promise.all([status.status(), ledger.lane(), ledger.open()]);
  const own = me();
  const reading = lastReading();
  const approved = open.filter(({ state }) => state === 'approved');
  return {
    status: {
      ...found,
      instances: found.instances.map((instance) => (instance.id === own.id ? { ...instance, ...own } : instance)),
    },
    lane: laneStanding({ lane, approved, reading, now: found.now }),
    reading,
    me: own.id,
  };
}
