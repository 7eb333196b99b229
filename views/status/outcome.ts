import type { State } from '../../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../../src/purchasing/ports/ledger.ts';
import { type Message, paragraph, section } from '../blocks.ts';
import { capital, contentShort, countriesShort, person } from '../format.ts';
import { frozenLine } from '../history.ts';
import { newsSentence, stateWord } from '../sentences.ts';
import { literal } from '../text.ts';
import { statusMessage } from './status.ts';

/**
 * The new direct message that tells the requester an outcome, a rejection or an expiry. It rings the bell and is short: the facts are
 * in the message that they got at filing. It is edited like every other: where the purchase has moved on since, it says so.
 * @param about the state that it was posted to tell of
 */
export function outcomeMessage(record: PurchaseRecord, about: State, { links }: Surroundings): Message {
  const { purchase } = record;
  const facts = links.receipt === null ? 'all about it is in your first message' : `<${links.receipt}|all about it>`;
  const moved = purchase.state !== about;
  return {
    text: news(record),
    blocks: paragraph([
      moved ? `This was told to you as *${stateWord(about)}*; it has changed since.` : null,
      newsSentence(purchase),
      [...newsDetail(record), `request ${literal(purchase.id, 60)}`, facts].join(' · '),
      // The news of what it is now is a message of its own, which says so too.
      moved ? null : frozenLine(record),
    ]),
  };
}

/** The same for approvers, with all the facts: the requester cannot be written to, and may have got nothing. */
export function passedOnMessage(record: PurchaseRecord, around: Surroundings): Message {
  const whose = `For ${person(record.purchase.requester)}, who cannot be written to. Please pass it on.`;
  return { text: news(record), blocks: [section(whose), ...statusMessage(record, around).blocks] };
}

/** What the sentence above it does not name. */
function newsDetail(record: PurchaseRecord): readonly string[] {
  const { state, basket } = record.purchase;
  if (state !== 'completed') return [what(record)];
  return basket.length === 0 ? [] : [countriesShort(basket)];
}

/** For a phone's notification. */
function news(record: PurchaseRecord): string {
  const { purchase } = record;
  switch (purchase.state) {
    case 'completed':
      return `${purchase.kind === 'buy' ? 'Bought' : 'Renewed'}: ${contentShort(purchase)}`;
    case 'unknown':
      return `Outcome unknown: ${what(record)}`;
    default:
      return `${capital(stateWord(purchase.state))}: ${what(record)}`;
  }
}

function what({ purchase }: PurchaseRecord): string {
  return `${purchase.kind === 'buy' ? '' : 'renewal of '}${contentShort(purchase)}`;
}
