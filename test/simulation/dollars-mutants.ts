import type { ExpectedCost, Spent } from '../../src/purchasing/model/cost.ts';
import { minus, NOTHING } from '../../src/purchasing/model/quotient.ts';
import {
  A_BATCH_BUDGET,
  A_KEPT_BUDGET,
  A_MONTH_ENDS,
  A_PRICE_LEARNED,
  A_SPLIT_IN_DOLLARS,
  DEAR_SINCE,
  FREE_OR_NOT,
  ONE_BUDGET,
  ONES_OWN_BUDGET,
  TWO_YESES_FOR_DOLLARS,
} from './dollars.ts';
import { facts, filings, rules } from './mutant-parts.ts';
import type { Mutant } from './mutants.ts';
import type { Seams } from './replica.ts';

const FOR_NOTHING: ExpectedCost = { known: true, amount: NOTHING, oldest: 0, since: 0, latest: 0, observations: 1 };

/** Sees what is spent before the transaction that files. */
const looksBefore: Seams['ledger'] = (ledger) => ({
  ...ledger,
  async file(subject, decide) {
    const { spent } = await ledger.filingFacts(subject);
    return ledger.file(subject, (known) => decide({ ...known, spent }));
  },
});

/** Of each row of a batch, sees what would be left if it were filed alone. */
const rowsAlone: Seams['ledger'] = (ledger) => ({
  ...ledger,
  fileBatch: (subject, decide) =>
    ledger.fileBatch(subject, (known) => {
      const costs = known.rows.map(({ cost }) => (cost.known ? cost.amount : NOTHING));
      const without = (of: Spent, index: number) => ({
        ...of,
        amount: costs.slice(0, index).reduce((left, cost) => minus(left, cost), of.amount),
      });
      const rows = known.rows.map((row, index) => ({
        ...row,
        spent: row.spent && {
          person: without(row.spent.person, index),
          everybody: without(row.spent.everybody, index),
        },
      }));
      return decide({ ...known, rows });
    }),
});

/** Of the purchases that may yet cost something, sees those of this month alone. */
const forgetsLastMonth: Seams['database'] = (database) => {
  const OPEN_OF_ANY_MONTH = /(FROM purchases WHERE state IN \([^)]*\))(\s+UNION ALL SELECT p\.id)/;
  return {
    ...database,
    write: (work) =>
      database.write((sql) =>
        work({
          ...sql,
          all: (text, params) => sql.all(text.replace(OPEN_OF_ANY_MONTH, '$1 AND created_at >= :since$2'), params),
        }),
      ),
  };
};

/** Products with one deliberate fault about dollars. */
export const DOLLAR_MUTANTS: readonly Mutant[] = [
  {
    name: 'looks at what is left of the month before the transaction that files',
    scope: ONE_BUDGET,
    seams: { ledger: looksBefore },
    breaks: ['over_dollars'],
  },
  {
    name: 'looks at what a person has left of the month before the transaction that files',
    scope: ONES_OWN_BUDGET,
    seams: { ledger: looksBefore },
    breaks: ['over_dollars'],
  },
  {
    name: 'does not look at the limits in dollars again before it sends',
    scope: A_PRICE_LEARNED,
    seams: { ledger: facts({ spent: null }) },
    breaks: ['over_dollars'],
  },
  {
    name: 'takes the price of when it was asked for before it sends',
    scope: A_PRICE_LEARNED,
    seams: { ledger: facts({ cost: { known: false, missing: ['DE'] } }) },
    breaks: ['over_dollars'],
  },
  {
    name: 'takes what no price is known of for free',
    scope: FREE_OR_NOT,
    seams: { ledger: filings((known) => (known.cost.known ? known : { ...known, cost: FOR_NOTHING })) },
    breaks: ['not_allowed'],
  },
  {
    name: 'lets one person approve whatever it costs',
    scope: TWO_YESES_FOR_DOLLARS,
    seams: { ledger: facts({ cost: FOR_NOTHING }) },
    breaks: ['one_person'],
  },
  {
    name: 'does not ask for the second yes before it sends, where it has become dear since',
    scope: DEAR_SINCE,
    seams: {
      ledger: rules((decide, purchase, known) =>
        decide(purchase, purchase.state === 'approved' ? { ...known, cost: FOR_NOTHING } : known),
      ),
    },
    breaks: ['one_person'],
  },
  {
    name: 'does not count together what a split request costs',
    scope: A_SPLIT_IN_DOLLARS,
    seams: { ledger: facts({ others: [] }) },
    breaks: ['one_person'],
  },
  {
    name: 'forgets with the end of a month what was asked for in it and may yet be sent',
    scope: A_MONTH_ENDS,
    seams: { database: forgetsLastMonth },
    breaks: ['over_dollars'],
  },
  {
    name: 'does not count together what the rows of a batch cost',
    scope: A_BATCH_BUDGET,
    seams: { ledger: rowsAlone },
    breaks: ['over_dollars'],
  },
  {
    name: 'lets an order that is kept spend more than the month has left',
    scope: A_KEPT_BUDGET,
    seams: { ledger: filings((known) => (known.order ? { ...known, spent: null } : known)) },
    breaks: ['over_dollars'],
  },
];
