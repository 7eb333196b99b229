import type { ReportingRule } from '../model/monthly-report.ts';

/** Which months were reported to those who approve. */
export interface MonthlyReports {
  /**
   * Looks whether a report is due; any process may, as often as it likes: what was owed is in the ledger.
   * @returns whether one is owed now.
   */
  look(decide: ReportingRule): Promise<boolean>;
  /** When the ledger last went back in time, as far as it knows; null where it never did. */
  wentBackAt(): Promise<number | null>;
}
