import type { Database, Sql } from '../../src/ledger/sql.ts';
import type { Change, ChangeFacts, ChangeRule, Directory, FilingFacts, Ledger } from '../../src/purchasing/ports.ts';
import type { Purchase } from '../../src/purchasing/purchase.ts';
import { RIGHTS } from '../../src/purchasing/rights.ts';
import type { Answer } from '../../src/purchasing/vendor-port.ts';
import type { Seams } from './replica.ts';
import type { Rule } from './violation.ts';

/** A product with one deliberate fault, put between its parts: proof that the proof can fail. */
export interface Mutant {
  readonly name: string;
  readonly seams: Seams;
  /** The promises that its breach may show itself in. */
  readonly breaks: readonly Rule[];
}

type Decide = (purchase: Purchase, facts: ChangeFacts) => Change<unknown>;

/** Changes what a rule sees or says, for every rule that the ledger is given. */
function rules(change: (decide: Decide, purchase: Purchase, facts: ChangeFacts) => Change<unknown>): (ledger: Ledger) => Ledger {
  return (ledger) => ({
    ...ledger,
    change: <R>(id: string, decide: ChangeRule<R>, candidate?: string) =>
      ledger.change(id, (purchase, facts) => change(decide, purchase, facts) as Change<R>, candidate),
  });
}

function filings(change: (facts: FilingFacts) => FilingFacts): (ledger: Ledger) => Ledger {
  return (ledger) => ({
    ...ledger,
    filingFacts: async (subject) => change(await ledger.filingFacts(subject)),
    file: (subject, decide) => ledger.file(subject, (facts) => decide(change(facts))),
  });
}

const facts = (change: Partial<ChangeFacts>) => rules((decide, purchase, known) => decide(purchase, { ...known, ...change }));

function answers(change: (answer: Answer) => Answer): NonNullable<Seams['vendor']> {
  return (vendor) => ({ ...vendor, send: async (order, guard) => change(await vendor.send(order, guard)) });
}

export const MUTANTS: readonly Mutant[] = [
  { name: 'sends before the commit', seams: sendsBeforeCommit(), breaks: ['post_without_sending'] },
  {
    name: 'sends again after a reset',
    seams: {
      vendor: (vendor) => ({
        ...vendor,
        async send(order, guard) {
          const answer = await vendor.send(order, guard);
          return answer.why.includes('reset') ? vendor.send(order, { mayStart: () => true }) : answer;
        },
      }),
    },
    breaks: ['second_post'],
  },
  {
    name: 'takes a time-out for a refusal',
    seams: { vendor: answers((answer) => (answer.why.includes('time allowed') ? { ...answer, outcome: 'declined' } : answer)) },
    breaks: ['guessed'],
  },
  {
    name: 'takes a time-out for "never sent"',
    seams: { vendor: answers((answer) => (answer.why.includes('time allowed') ? { ...answer, outcome: 'not_sent' } : answer)) },
    breaks: ['second_post', 'guessed'],
  },
  { name: 'checks rights at the request only', seams: { laneDirectory: everybodyMay }, breaks: ['no_right_at_sending'] },
  {
    name: 'has no unique index and no lane check',
    seams: {
      schema: 'DROP INDEX purchases_one_sending; DROP TRIGGER purchases_no_replace_by_update;',
      ledger: (ledger) => {
        const open = facts({ laneBusy: false })(ledger);
        return { ...open, lane: async () => ({ ...(await open.lane()), sending: null, firstReadingDue: false }) };
      },
    },
    breaks: ['two_sending', 'lane_early'],
  },
  {
    name: 'does not wait for the first reading',
    seams: {
      ledger: (ledger) => {
        const open = facts({ laneBusy: false })(ledger);
        return { ...open, lane: async () => ({ ...(await open.lane()), firstReadingDue: false }) };
      },
    },
    breaks: ['lane_early'],
  },
  { name: 'compares and sets without the state', seams: { database: readThenWrite }, breaks: ['unlisted', 'second_post', 'late_post', 'wrong_hands'] },
  {
    name: 'lets a late answer move an unknown',
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const late = (change.entries ?? []).some(({ detail }) => detail.kind === 'answer' && detail.late);
        if (!late || purchase.state !== 'unknown') return change;
        const moved = decide({ ...purchase, state: 'sending' }, known);
        return moved.to === 'completed' ? moved : change;
      }),
    },
    breaks: ['moved_by_nobody', 'late_answer_moved'],
  },
  {
    name: 'sends an approval that has expired',
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const tooOld = JSON.stringify(change.result ?? null).includes('it is too old');
        return tooOld ? decide({ ...purchase, sendBy: Number.MAX_SAFE_INTEGER }, known) : change;
      }),
    },
    breaks: ['too_old'],
  },
  {
    name: 'lets an expired request be approved',
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const decided = (change.entries ?? []).some(({ detail }) => detail.kind === 'refused' && detail.refused === 'wrong_state');
        return decided && purchase.state === 'requested' ? decide({ ...purchase, expiresAt: Number.MAX_SAFE_INTEGER }, known) : change;
      }),
    },
    breaks: ['too_old'],
  },
  {
    name: 'counts a reading after another purchase was sent',
    seams: { ledger: facts({ sentSince: false }) },
    breaks: ['false_contradiction'],
  },
  { name: 'does not look at the freeze when it sends', seams: { ledger: facts({ freeze: null }) }, breaks: ['frozen_sent'] },
  {
    name: 'lets people approve their own',
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const own = JSON.stringify(change.result ?? null) === '{"refused":"own_purchase"}';
        return own ? decide({ ...purchase, requester: 'nobody', requesterPerson: 'nobody' }, known) : change;
      }),
    },
    breaks: ['wrong_approver', 'moved_by_nobody'],
  },
  {
    name: 'starts a POST however late',
    seams: { vendor: (vendor) => ({ ...vendor, send: (order) => vendor.send(order, { mayStart: () => true }) }) },
    breaks: ['late_post', 'post_without_sending'],
  },
  {
    name: 'takes up again what a dead process was sending',
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const abandoned = purchase.state === 'sending' && change.to === 'unknown' && !change.entries;
        return abandoned ? { ...change, to: 'approved', notices: [], readings: [] } : change;
      }),
    },
    breaks: ['second_post', 'guessed', 'early_unknown'],
  },
  {
    name: 'gives an answer up when the database is busy',
    seams: {
      ledger: (ledger) => ({
        ...ledger,
        async change(id, decide, candidate) {
          let answer = false;
          const noting = rules((inner, purchase, known) => {
            const change = inner(purchase, known);
            answer ||= (change.entries ?? []).some(({ detail }) => detail.kind === 'answer');
            return change;
          })(ledger);
          try {
            return await noting.change(id, decide, candidate);
          } catch (error) {
            if (answer || candidate !== undefined) return undefined;
            throw error;
          }
        },
      }),
    },
    breaks: ['lost_answer'],
  },
  { name: 'files the same content twice', seams: { ledger: filings((known) => ({ ...known, twins: [] })) }, breaks: ['twin_filed', 'twin_unticked'] },
  { name: 'forgets what people have asked for', seams: { ledger: filings((known) => ({ ...known, counted: 0 })) }, breaks: ['over_limit', 'not_allowed'] },
  {
    name: 'takes a message for told before it is posted',
    seams: {
      database: (database) => ({
        ...database,
        write: (work) =>
          database.write((sql) =>
            work({ ...sql, run: (text, params) => sql.run(text.replace('SET claimed_until = :until', 'SET pending = 0, claimed_until = :until'), params) }),
          ),
      }),
    },
    breaks: ['untold', 'stale_message'],
  },
];

/** The lane believes that it has entered `sending`, sends, and commits only then. */
function sendsBeforeCommit(): Seams {
  const commits = new WeakMap<Ledger, () => Promise<unknown>>();
  return {
    ledger: (ledger) => {
      const late: Ledger = {
        ...ledger,
        change: async <R>(id: string, decide: ChangeRule<R>, candidate?: string) => {
          let entering = false;
          const result = await ledger.change(
            id,
            (purchase, known) => {
              const change = decide(purchase, known);
              entering = change.to === 'sending';
              return entering ? { result: change.result, by: change.by } : change;
            },
            candidate,
          );
          if (entering) commits.set(late, () => ledger.change(id, decide, candidate));
          return result;
        },
      };
      return late;
    },
    vendor: (vendor, ledger) => ({
      ...vendor,
      async send(order, guard) {
        const answer = await vendor.send(order, guard);
        await commits.get(ledger)?.();
        return answer;
      },
    }),
  };
}

function everybodyMay(directory: Directory): Directory {
  return {
    approvers: () => directory.approvers(),
    standing: async (user) => ({ readable: true, person: user, barred: null, rights: new Set(RIGHTS), nobodyHas: new Set() }),
  };
}

/** Reads and decides in one transaction, writes in the next, and no longer looks whether what it read still stands. */
function readThenWrite(database: Database): Database {
  return {
    ...database,
    async write(work) {
      const writes: ((sql: Sql) => Promise<unknown>)[] = [];
      let changes = false;
      const result = await database.read((sql) =>
        work({
          ...sql,
          async run(text, params) {
            changes ||= text.startsWith('UPDATE purchases');
            writes.push((later) => later.run(text.replace('AND state = :from AND version = :version', ''), params));
            return 1;
          },
        }),
      );
      if (!changes) return database.write(work);
      await database.write(async (sql) => {
        for (const write of writes) await write(sql);
      });
      return result;
    },
  };
}
