import { plural } from '../src/plural.ts';
import type { BatchRecord } from '../src/purchasing/model/batch.ts';
import type { Entry } from '../src/purchasing/model/entries.ts';
import type { TwoPeople } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { reasonOf, sharedFacts, smallPrintOf, yesLinesOf } from './batch-rows.ts';
import type { Block } from './blocks.ts';
import { factsOf, type Labelled, ownFactsOf, smallPrint } from './facts.ts';
import { person, requestShort } from './format.ts';
import { yesLines } from './history.ts';

/** What somebody has asked for, a purchase or a batch, as far as people talk about it. */
export interface Asked {
  readonly requester: string;
  /** `buy 15 IPs (US 10, DE 5)`, `renew 3 orders` */
  readonly short: string;
  readonly facts: readonly Labelled[];
  /** To the person who asked. */
  readonly ownFacts: readonly Labelled[];
  readonly reason: string;
  readonly smallPrint: Block;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Nobody has decided yet. */
  readonly waits: boolean;
  /** Something of it has been sent. */
  readonly sent: boolean;
  readonly yesLines: readonly (string | null)[];
  /** What was said about it, oldest first; of a purchase, with its other entries. */
  readonly talk: readonly Entry[];
}

export function askedOf(about: PurchaseRecord | BatchRecord, twoPeople: TwoPeople | null = null): Asked {
  if ('purchase' in about) {
    const { purchase, entries } = about;
    return {
      ...purchase,
      short: requestShort(purchase),
      facts: factsOf(purchase),
      ownFacts: ownFactsOf(purchase),
      smallPrint: smallPrint(purchase),
      waits: purchase.state === 'requested',
      sent: purchase.attempt !== null,
      yesLines: yesLines(about, twoPeople),
      talk: entries,
    };
  }
  const { requester, rows, createdAt, talk } = about;
  const waiting = rows.filter(({ state }) => state === 'requested');
  const short = `renew ${plural(rows.length, 'order')}`;
  return {
    requester,
    short,
    facts: [['Who', person(requester)], ['What', short], ...sharedFacts(rows)],
    ownFacts: [['You asked for', short], ...sharedFacts(rows)],
    reason: reasonOf(about),
    smallPrint: smallPrintOf(about),
    createdAt,
    expiresAt: (waiting[0] ?? rows[0])?.expiresAt ?? createdAt,
    waits: waiting.length > 0,
    sent: rows.some(({ attempt }) => attempt !== null),
    yesLines: yesLinesOf(rows, twoPeople),
    talk,
  };
}
