import {
  A_FREEZE,
  A_LOCKED_DATABASE,
  DELIVERED_TWICE,
  EVERY_ANSWER,
  NEWS,
  ONE_LIMIT,
  ONES_OWN,
  ONES_OWN_UNKNOWN,
  RIGHTS_LOST_BEFORE,
  SUBMITTED_TWICE,
} from './corners.ts';
import type { Scope } from './exhaustive.ts';
import { A_LATE_TWIN, A_LIE, AN_EARLIER_ATTEMPT, SENT_BETWEEN_READS, TWO_LANES } from './lanes.ts';
import {
  answers,
  anyAttempt,
  approverAsPerson,
  countsFromHandingOver,
  everybodyMay,
  facts,
  filings,
  forgetsClicks,
  forgetsSubmits,
  neverBack,
  ownPurchase,
  readThenWrite,
  rules,
  sendsBeforeCommit,
} from './mutant-parts.ts';
import {
  A_HIDDEN_PAUSE,
  A_HIDDEN_SLEEP,
  A_LONG_PAUSE,
  A_PAUSE,
  A_SLEEP,
  A_SLOW_COMMIT,
  TOO_OLD_TO_APPROVE,
  TOO_OLD_TO_SEND,
} from './pauses.ts';
import type { Seams } from './replica.ts';
import { SAME_CONTENT } from './scopes.ts';
import { TWO_PEOPLE_MUTANTS } from './two-people-mutants.ts';
import type { Rule } from './violation.ts';

/** A product with one deliberate fault, put between its parts: proof that the proof can fail. */
export interface Mutant {
  readonly name: string;
  /** The small world that catches it, whatever the seeds. */
  readonly scope: Scope;
  readonly seams: Seams;
  /** The promises that its breach may show itself in. */
  readonly breaks: readonly Rule[];
}

export const MUTANTS: readonly Mutant[] = [
  ...TWO_PEOPLE_MUTANTS,
  {
    name: 'sends before the commit',
    scope: EVERY_ANSWER,
    seams: sendsBeforeCommit(),
    breaks: ['post_without_sending'],
  },
  {
    name: 'sends again after a reset',
    scope: EVERY_ANSWER,
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
    scope: EVERY_ANSWER,
    seams: {
      vendor: answers((answer) => (answer.why.includes('time allowed') ? { ...answer, outcome: 'declined' } : answer)),
    },
    breaks: ['guessed'],
  },
  {
    name: 'takes a time-out for "never sent"',
    scope: EVERY_ANSWER,
    seams: {
      vendor: answers((answer) => (answer.why.includes('time allowed') ? { ...answer, outcome: 'not_sent' } : answer)),
    },
    breaks: ['second_post', 'guessed'],
  },
  {
    name: 'checks rights at the request only',
    scope: RIGHTS_LOST_BEFORE,
    seams: { laneDirectory: everybodyMay },
    breaks: ['no_right_at_sending'],
  },
  {
    name: 'has no unique index and no lane check',
    scope: TWO_LANES,
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
    scope: TWO_LANES,
    seams: {
      ledger: (ledger) => {
        const open = facts({ laneBusy: false })(ledger);
        return { ...open, lane: async () => ({ ...(await open.lane()), firstReadingDue: false }) };
      },
    },
    breaks: ['lane_early'],
  },
  {
    name: 'looks first what is being sent, and later for everything else',
    scope: SENT_BETWEEN_READS,
    seams: {
      ledger: (ledger) => ({
        ...ledger,
        async lane() {
          const { sending } = await ledger.lane();
          return { ...(await ledger.lane()), sending };
        },
      }),
    },
    breaks: ['stale_balance'],
  },
  {
    name: 'compares and sets without the state',
    scope: TWO_LANES,
    seams: { database: readThenWrite },
    breaks: ['unlisted', 'second_post', 'late_post', 'wrong_hands', 'bug', 'stale_reading', 'lane_early'],
  },
  {
    name: 'lets a late answer move an unknown',
    scope: A_LONG_PAUSE,
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
    scope: TOO_OLD_TO_SEND,
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
    scope: TOO_OLD_TO_APPROVE,
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const decided = (change.entries ?? []).some(
          ({ detail }) => detail.kind === 'refused' && detail.refused === 'wrong_state',
        );
        return decided && purchase.state === 'requested'
          ? decide({ ...purchase, expiresAt: Number.MAX_SAFE_INTEGER }, known)
          : change;
      }),
    },
    breaks: ['too_old'],
  },
  {
    name: 'counts a reading after another purchase was sent',
    scope: A_LIE,
    seams: { ledger: facts({ sentSince: false }) },
    breaks: ['false_contradiction'],
  },
  {
    name: 'does not look at the freeze when it sends',
    scope: A_FREEZE,
    seams: { ledger: facts({ freeze: null }) },
    breaks: ['frozen_sent'],
  },
  {
    name: 'lets a click count as often as it is delivered',
    scope: DELIVERED_TWICE,
    seams: { ledger: forgetsClicks },
    breaks: ['counted_twice'],
  },
  {
    name: 'files by a submit that was refused before',
    scope: SUBMITTED_TWICE,
    seams: { ledger: forgetsSubmits },
    breaks: ['refused_and_filed'],
  },
  {
    name: 'lets people approve their own',
    scope: ONES_OWN,
    seams: { ledger: ownPurchase('approve') },
    breaks: ['wrong_approver'],
  },
  {
    name: 'lets people settle their own',
    scope: ONES_OWN_UNKNOWN,
    seams: { ledger: ownPurchase('settle') },
    breaks: ['moved_by_nobody'],
  },
  {
    name: 'keeps the approver as a person, whom nobody can ask Slack about',
    scope: ONES_OWN,
    seams: { ledger: approverAsPerson },
    breaks: ['wrong_approver'],
  },
  {
    name: 'takes an answer for one to any attempt',
    scope: AN_EARLIER_ATTEMPT,
    seams: { ledger: anyAttempt },
    breaks: ['second_post', 'guessed'],
  },
  {
    name: 'does not look for twins when it sends',
    scope: A_LATE_TWIN,
    seams: { ledger: facts({ twin: null }) },
    breaks: ['twin_sent'],
  },
  {
    name: 'starts a POST however late',
    scope: A_PAUSE,
    seams: { vendor: (vendor) => ({ ...vendor, send: (order) => vendor.send(order, { mayStart: () => true }) }) },
    breaks: ['late_post', 'post_without_sending'],
  },
  {
    name: 'does not count the time that the commit takes',
    scope: A_SLOW_COMMIT,
    seams: { vendor: countsFromHandingOver },
    breaks: ['late_post'],
  },
  {
    name: 'measures a pause by the wall clock alone',
    scope: A_HIDDEN_PAUSE,
    seams: { laneClock: (clock) => ({ ...clock, monotonic: () => clock.now() }) },
    breaks: ['late_post'],
  },
  {
    name: 'measures a pause by the monotonic clock alone',
    scope: A_SLEEP,
    seams: { laneClock: (clock) => ({ ...clock, now: () => clock.monotonic() }) },
    breaks: ['late_post'],
  },
  {
    name: 'does not notice that the clock was set back',
    scope: A_HIDDEN_SLEEP,
    seams: { laneClock: neverBack },
    breaks: ['late_post'],
  },
  {
    name: 'takes up again what a dead process was sending',
    scope: EVERY_ANSWER,
    seams: {
      ledger: rules((decide, purchase, known) => {
        const change = decide(purchase, known);
        const abandoned = purchase.state === 'sending' && change.to === 'unknown' && !change.entries;
        return abandoned ? { ...change, to: 'approved', notices: [], readings: [] } : change;
      }),
    },
    breaks: ['second_post', 'guessed', 'early_unknown', 'lane_early'],
  },
  {
    name: 'gives an answer up when the database is busy',
    scope: A_LOCKED_DATABASE,
    seams: {
      ledger: (ledger) => ({
        ...ledger,
        async change(id, decide, subject) {
          let answer = false;
          const noting = rules((inner, purchase, known) => {
            const change = inner(purchase, known);
            answer ||= (change.entries ?? []).some(({ detail }) => detail.kind === 'answer');
            return change;
          })(ledger);
          try {
            return await noting.change(id, decide, subject);
          } catch (error) {
            if (answer || (subject && !('click' in subject))) return undefined;
            throw error;
          }
        },
      }),
    },
    breaks: ['lost_answer'],
  },
  {
    name: 'files the same content twice',
    scope: SAME_CONTENT,
    seams: { ledger: filings((known) => ({ ...known, twins: [] })) },
    breaks: ['twin_filed', 'twin_unticked'],
  },
  {
    name: 'forgets what people have asked for',
    scope: ONE_LIMIT,
    seams: { ledger: filings((known) => ({ ...known, counted: 0 })) },
    breaks: ['over_limit', 'not_allowed'],
  },
  {
    name: 'takes a message for told before it is posted',
    scope: NEWS,
    seams: {
      database: (database) => ({
        ...database,
        write: (work) =>
          database.write((sql) =>
            work({
              ...sql,
              run: (text, params) =>
                sql.run(
                  text.replace('UPDATE notices SET claimed_until', 'UPDATE notices SET pending = 0, claimed_until'),
                  params,
                ),
            }),
          ),
      }),
    },
    breaks: ['untold', 'stale_message'],
  },
];
