import type { State } from '../../src/purchasing/model/purchase.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { actions, fields, type Message, paragraph, section } from '../blocks.ts';
import { finalButtons, ownFactsOf, smallPrint } from '../facts.ts';
import { capital, contentShort } from '../format.ts';
import { hasAnswerToShow, historyLines } from '../history.ts';
import { outcomeSentence, stateWord } from '../sentences.ts';

/**
 * The new direct message that tells the requester an outcome, a rejection or an expiry. It is edited like every other: where the
 * purchase has moved on since, it says so.
 * @param about the state that it was posted to tell of
 */
export function outcomeMessage(record: PurchaseRecord, about: State): Message {
  const { purchase } = record;
  const moved = purchase.state !== about;
  const receipt = purchase.state === 'completed';
  return {
    text: `${capital(stateWord(purchase.state))}: ${purchase.kind === 'buy' ? '' : 'renewal of '}${contentShort(purchase)}`,
    blocks: moved
      ? changedSince(record, about)
      : [
          section(outcomeSentence(purchase)),
          fields(ownFactsOf(purchase)),
          ...paragraph(historyLines(record)),
          ...(receipt && purchase.kind === 'buy' ? [section(whereProxiesAre(record))] : []),
          ...actions(finalButtons(record)),
          smallPrint(purchase),
        ],
  };
}

/** The news of what it is now is a message of its own: this one only must not say what is no longer true. */
function changedSince({ purchase }: PurchaseRecord, about: State): Message['blocks'] {
  return [
    section(`This was told to you as *${stateWord(about)}*; it has changed since.`),
    section(outcomeSentence(purchase)),
    smallPrint(purchase),
  ];
}

function whereProxiesAre(record: PurchaseRecord): string {
  return hasAnswerToShow(record)
    ? "Fetch the proxies from the vendor's answer (*Show the answer*, only you and approvers can open it) or from the vendor's console."
    : "Fetch the proxies from the vendor's console.";
}
