import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import type { Endings } from '../../src/purchasing/ports/endings.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import { KEPT_AND_LET_END, KEPT_AT_TWO, KEPT_BY_ANOTHER, KEPT_SENT_AND_LET_END, REMINDED } from './kept.ts';
import { facts, filings } from './mutant-parts.ts';
import type { Mutant } from './mutants.ts';

/** Files what is kept under a name that tells nothing of its end. */
function unnamed(ledger: Ledger): Ledger {
  let filed = 0;
  return {
    ...ledger,
    file(subject, decide) {
      filed += 1;
      const submission = `${subject.submission}, ${filed}`;
      return ledger.file({ ...subject, submission }, (known) => {
        const { result, file } = decide({ ...known, filed: null });
        return file ? { result, file: { ...file, submission: `${submission} ${file.id}` } } : { result };
      });
    },
  };
}

/** Decides on what was said before the last line. */
const asBefore = filings(({ order, ...known }: FilingFacts) => ({
  ...known,
  order: order && {
    ...order,
    entries: order.entries.filter(({ detail }) => !('intent' in detail) || detail.intent === 'keep'),
  },
}));

/** Writes a reminder without looking whether another process has written it. */
const forgetsRungs = (endings: Endings, process: string): Endings => ({
  ...endings,
  isWritten: async () => false,
  remind: (key, ids, decide) =>
    endings.remind(`${key} by ${process}`, ids, (known) => {
      const orders = known.orders.map(({ facts: of }) => ({ facts: of, last: null }));
      const { notice, lines } = decide({ ...known, written: false, orders });
      return { lines, notice: notice && { ...notice, key: `${key} by ${process}`, text: `${key} by ${process}` } };
    }),
});

/** Deliberate faults where orders come to their end. */
export const KEPT_MUTANTS: readonly Mutant[] = [
  {
    name: 'files what is kept as often as it looks',
    scope: KEPT_AT_TWO,
    seams: { ledger: unnamed },
    breaks: ['kept_twice'],
  },
  {
    name: 'files what is let end since it looked',
    scope: KEPT_AND_LET_END,
    seams: { ledger: asBefore },
    breaks: ['kept_unwanted'],
  },
  {
    name: 'goes on with what was filed when the order is let end',
    scope: KEPT_SENT_AND_LET_END,
    seams: {
      orders: (orders) => ({
        ...orders,
        change: (ids, decide, click) => orders.change(ids, (known) => decide({ ...known, keptRenewals: [] }), click),
      }),
    },
    breaks: ['kept_unwanted'],
  },
  {
    name: 'lets whoever has said Keep approve what it files',
    scope: KEPT_BY_ANOTHER,
    seams: { ledger: facts({ keptBy: null }) },
    breaks: ['wrong_approver'],
  },
  {
    name: 'reminds without looking at what was told',
    scope: REMINDED,
    seams: {
      schema: `CREATE TABLE told AS SELECT * FROM order_reminders;
        DROP TABLE order_reminders; ALTER TABLE told RENAME TO order_reminders;`,
      endings: forgetsRungs,
    },
    breaks: ['reminded_twice'],
  },
];
