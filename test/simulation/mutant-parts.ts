import type { Database, Sql } from '../../src/ledger/sql.ts';
import type { Answer } from '../../src/purchasing/model/answer.ts';
import type { Change, ChangeFacts, ChangeRule, ChangeSubject } from '../../src/purchasing/model/change.ts';
import type { FilingFacts } from '../../src/purchasing/model/filing.ts';
import { RIGHTS } from '../../src/purchasing/model/policy.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Clock } from '../../src/purchasing/ports/clock.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import type { Ledger } from '../../src/purchasing/ports/ledger.ts';
import { organisationId } from './people.ts';
import type { Seams } from './replica.ts';

// What stands between the product's parts and makes one of them wrong.

type Decide = (purchase: Purchase, facts: ChangeFacts) => Change<unknown>;

/** Changes what a rule sees or says, for every rule that the ledger is given. */
export function rules(
  change: (decide: Decide, purchase: Purchase, facts: ChangeFacts) => Change<unknown>,
): (ledger: Ledger) => Ledger {
  return (ledger) => ({
    ...ledger,
    change: <R>(id: string, decide: ChangeRule<R>, subject?: ChangeSubject) =>
      ledger.change(id, (purchase, facts) => change(decide, purchase, facts) as Change<R>, subject),
  });
}

export function filings(change: (facts: FilingFacts) => FilingFacts): (ledger: Ledger) => Ledger {
  return (ledger) => ({
    ...ledger,
    filingFacts: async (subject) => change(await ledger.filingFacts(subject)),
    file: (subject, decide) => ledger.file(subject, (facts) => decide(change(facts))),
  });
}

/** Forgets which submits were refused. */
export function forgetsSubmits(ledger: Ledger): Ledger {
  return {
    ...ledger,
    file: (subject, decide) =>
      ledger.file(subject, (known) => {
        const { click: _, ...decided } = decide({ ...known, deliveredBefore: null });
        return decided;
      }),
  };
}

export const facts = (change: Partial<ChangeFacts>) =>
  rules((decide, purchase, known) => decide(purchase, { ...known, ...change }));

/** Forgets what has been delivered before. */
export function forgetsClicks(ledger: Ledger): Ledger {
  const forgetful = rules((decide, purchase, known) => {
    const { click: _, ...change } = decide(purchase, { ...known, deliveredBefore: null });
    return change;
  })(ledger);
  return {
    ...forgetful,
    changeFreeze: (decide, id) =>
      ledger.changeFreeze((known) => {
        const { click: _, ...change } = decide({ ...known, deliveredBefore: null });
        return change;
      }, id),
  };
}

/** Lets whoever is refused as the requester do it all the same, where this was what they wanted to do. */
export const ownPurchase = (action: string) =>
  rules((decide, purchase, known) => {
    const change = decide(purchase, known);
    const own = (change.entries ?? []).some(
      ({ detail }) => detail.kind === 'refused' && detail.action === action && detail.refused === 'own_purchase',
    );
    return own ? decide({ ...purchase, requester: 'nobody', requesterPerson: 'nobody' }, known) : change;
  });

/** Takes every answer for one to the attempt that is under way. */
export const anyAttempt = rules((decide, purchase, known) => {
  const change = decide(purchase, known);
  const { attempt } = purchase;
  const other = (change.entries ?? []).flatMap(({ detail }) =>
    detail.kind === 'answer' && detail.attemptId !== attempt?.id ? [detail.attemptId] : [],
  )[0];
  if (purchase.state !== 'sending' || attempt === null || other === undefined) return change;
  return decide({ ...purchase, attempt: { ...attempt, id: other } }, known);
});

export const approverAsPerson = rules((decide, purchase, known) => {
  const change = decide(purchase, known);
  const { approver } = change.set ?? {};
  return approver ? { ...change, set: { ...change.set, approver: organisationId(approver) } } : change;
});

/** Counts how long a POST has waited from the moment at which it is handed to the vendor's client. */
export const countsFromHandingOver: NonNullable<Seams['vendor']> = (vendor, _ledger, clock) => ({
  ...vendor,
  send(order) {
    const began = { wall: clock.now(), monotonic: clock.monotonic() };
    const waited = () => Math.max(clock.now() - began.wall, clock.monotonic() - began.monotonic);
    return vendor.send(order, { mayStart: () => waited() <= 5_000 });
  },
});

/** A clock on which no time is seen to go back. */
export function neverBack(clock: Clock): Clock {
  let latest = Number.NEGATIVE_INFINITY;
  return {
    ...clock,
    now() {
      latest = Math.max(latest, clock.now());
      return latest;
    },
  };
}

export function answers(change: (answer: Answer) => Answer): NonNullable<Seams['vendor']> {
  return (vendor) => ({ ...vendor, send: async (order, guard) => change(await vendor.send(order, guard)) });
}

/** The lane believes that it has entered `sending`, sends, and commits only then. */
export function sendsBeforeCommit(): Seams {
  const commits = new WeakMap<Ledger, () => Promise<unknown>>();
  return {
    ledger: (ledger) => {
      const late: Ledger = {
        ...ledger,
        change: async <R>(id: string, decide: ChangeRule<R>, subject?: ChangeSubject) => {
          let entering = false;
          const result = await ledger.change(
            id,
            (purchase, known) => {
              const change = decide(purchase, known);
              entering = change.to === 'sending';
              return entering ? { result: change.result, by: change.by } : change;
            },
            subject,
          );
          if (entering) commits.set(late, () => ledger.change(id, decide, subject));
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

export function everybodyMay(directory: Directory): Directory {
  return {
    approvers: () => directory.approvers(),
    idsOf: (user, withinMs) => directory.idsOf(user, withinMs),
    timeZone: (user) => directory.timeZone(user),
    standing: async (user) => ({
      readable: true,
      ids: new Set([user]),
      person: user,
      barred: null,
      rights: new Set(RIGHTS),
      nobodyHas: new Set(),
    }),
  };
}

/** Reads and decides in one transaction, writes in the next, and no longer looks whether what it read still stands. */
export function readThenWrite(database: Database): Database {
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
