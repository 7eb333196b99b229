import type { BatchChange, BatchRow } from '../../src/purchasing/model/batch-change.ts';
import type { Change } from '../../src/purchasing/model/change.ts';
import type { NewPurchase } from '../../src/purchasing/model/filing.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import { A_BATCH_FILED, A_ROW_STRUCK_OUT, A_ROW_UNKNOWN, A_ROW_UNKNOWN_LATE, ONES_OWN_BATCH } from './batches.ts';
import { facts } from './mutant-parts.ts';
import type { Mutant } from './mutants.ts';

type DecideBatch = (rows: readonly BatchRow[]) => BatchChange<unknown>;

/** Changes what a rule about a batch sees or says. */
const batchRules =
  (change: (decide: DecideBatch, rows: readonly BatchRow[]) => BatchChange<unknown>) =>
  (ledger: Ledger): Ledger => ({
    ...ledger,
    changeBatch: <R>(
      id: string,
      decide: (rows: readonly BatchRow[]) => BatchChange<R>,
      subject?: { readonly click?: string },
    ) => ledger.changeBatch(id, (rows) => change(decide, rows) as BatchChange<R>, subject),
  });

const mapped = (change: BatchChange<unknown>, to: (one: Change<unknown>, id: string) => Change<unknown>) => ({
  ...change,
  changes: new Map(Array.from(change.changes, ([id, one]) => [id, to(one, id)])),
});

const nobodys = ({ purchase, facts: known }: BatchRow): BatchRow => ({
  purchase: { ...purchase, requester: 'nobody', requesterPerson: 'nobody' },
  facts: known,
});

const HELD = / AND NOT EXISTS \(\s*SELECT 1 FROM purchases held [^)]*\)/;

/** Products with one deliberate fault about batches. */
export const BATCH_MUTANTS: readonly Mutant[] = [
  {
    name: 'lets people approve a batch of their own',
    scope: ONES_OWN_BATCH,
    seams: {
      ledger: batchRules((decide, rows) => {
        const change = decide(rows);
        const own = [...change.changes.values()].some((one) =>
          (one.entries ?? []).some(({ detail }) => detail.kind === 'refused' && detail.refused === 'own_purchase'),
        );
        return own ? decide(rows.map(nobodys)) : change;
      }),
    },
    breaks: ['wrong_approver'],
  },
  {
    name: 'sends the rest of a batch beside a row that is unknown',
    scope: A_ROW_UNKNOWN,
    seams: {
      ledger: facts({ siblings: [] }),
      database: (database) => ({
        ...database,
        read: (work) =>
          database.read((sql) => work({ ...sql, all: (text, params) => sql.all(text.replace(HELD, ''), params) })),
      }),
    },
    breaks: ['held_sent'],
  },
  {
    name: 'does not look at the other rows of a batch in the transaction that sends',
    scope: A_ROW_UNKNOWN_LATE,
    seams: { ledger: facts({ siblings: [] }) },
    breaks: ['held_sent'],
  },
  {
    name: 'approves the rows that are struck out',
    scope: A_ROW_STRUCK_OUT,
    seams: {
      ledger: batchRules((decide, rows) =>
        mapped(decide(rows), (one) =>
          one.to === 'rejected'
            ? { ...one, to: 'approved', set: { ...one.set, sendBy: Number.MAX_SAFE_INTEGER } }
            : one,
        ),
      ),
    },
    breaks: ['struck_out'],
  },
  {
    name: 'files a batch as often as its form is submitted',
    scope: A_BATCH_FILED,
    seams: {
      schema: 'DROP INDEX batches_one_submission; DROP TRIGGER batches_no_replace;',
      ledger: (ledger) => ({
        ...ledger,
        fileBatch: (subject, decide) =>
          ledger.fileBatch(subject, (known) => {
            const rows = known.rows.map((row) => ({ ...row, twins: [], filed: null }));
            const { result, file } = decide({ ...known, filed: null, rows });
            const again = (row: NewPurchase) => ({ ...row, submission: `${row.submission} of ${row.id}` });
            return file ? { result, file: { ...file, rows: file.rows.map(again) } } : { result };
          }),
      }),
    },
    breaks: ['batch_twice'],
  },
  {
    name: 'files the rows of a batch one after the other',
    scope: A_BATCH_FILED,
    seams: {
      ledger: (ledger) => ({
        ...ledger,
        async fileBatch(subject, decide) {
          let rest: readonly NewPurchase[] = [];
          const result = await ledger.fileBatch(subject, (known) => {
            const decided = decide(known);
            rest = decided.file?.rows.slice(1) ?? [];
            return decided.file
              ? { ...decided, file: { ...decided.file, rows: decided.file.rows.slice(0, 1) } }
              : decided;
          });
          for (const [index, row] of rest.entries()) {
            const own = subject.rows[index + 1];
            if (own) await ledger.file(own, () => ({ result: null, file: row }));
          }
          return result;
        },
      }),
    },
    breaks: ['half_batch'],
  },
];
