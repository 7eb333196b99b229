import { RIGHTS } from '../../src/purchasing/model/policy.ts';
import type { Directory } from '../../src/purchasing/ports/directory.ts';
import { facts, ownPurchase, rules } from './mutant-parts.ts';
import type { Mutant } from './mutants.ts';
import { LEA } from './people.ts';
import { A_SPLIT, FIRST_LOSES_RIGHT, ONE_YES_TWICE, ONES_OWN_SECOND, TWO_YESES } from './two-people.ts';

/** Takes the yes of whoever has said the first for the second too. */
const sameTwice = rules((decide, purchase, known) => {
  const change = decide(purchase, known);
  const same = (change.entries ?? []).some(
    ({ detail }) => detail.kind === 'refused' && detail.refused === 'first_yes_is_yours',
  );
  if (!same || purchase.state !== 'requested') return change;
  return {
    result: { ...purchase, state: 'approved' },
    by: change.by,
    to: 'approved',
    set: { approver: change.by, firstApprover: null, sendBy: known.now + 60_000 },
  };
});

/** Writes down that a yes was taken back, and keeps it. */
const keepsTakenBack = rules((decide, purchase, known) => {
  const change = decide(purchase, known);
  if (!(change.entries ?? []).some(({ detail }) => detail.kind === 'first_yes_taken_back')) return change;
  const { set: _, ...rest } = change;
  return rest;
});

function alwaysMay(user: string): (directory: Directory) => Directory {
  return (directory) => ({
    approvers: () => directory.approvers(),
    idsOf: (of, withinMs) => directory.idsOf(of, withinMs),
    timeZone: (of) => directory.timeZone(of),
    async standing(of, rights, freshness, withinMs) {
      const standing = await directory.standing(of, rights, freshness, withinMs);
      return of === user && standing.readable ? { ...standing, barred: null, rights: new Set(RIGHTS) } : standing;
    },
  });
}

/** Deliberate faults where two people have to approve. */
export const TWO_PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'lets one person be both of two',
    scope: ONE_YES_TWICE,
    seams: { ledger: sameTwice },
    breaks: ['one_person'],
  },
  {
    name: 'lets the requester be the second of two',
    scope: ONES_OWN_SECOND,
    seams: { ledger: ownPurchase('approve') },
    breaks: ['wrong_approver'],
  },
  {
    name: 'counts a yes that was taken back',
    scope: TWO_YESES,
    seams: { ledger: keepsTakenBack },
    breaks: ['one_person'],
  },
  {
    name: 'does not count a request that was split together',
    scope: A_SPLIT,
    seams: { ledger: facts({ others: [] }) },
    breaks: ['one_person'],
  },
  {
    name: 'does not ask for the rights of the first of two before it sends',
    scope: FIRST_LOSES_RIGHT,
    seams: { laneDirectory: alwaysMay(LEA) },
    breaks: ['no_right_at_sending'],
  },
];
