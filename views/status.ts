import type { types } from '@slack/bolt';
import { isKept } from '../src/purchasing/model/filing.ts';
import type { Purchase, State } from '../src/purchasing/model/purchase.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { actions, button, confirmed, type DrawnMessage, fields, paragraph, section } from './blocks.ts';
import { costFields } from './cost.ts';
import { finalButtons, ownFactsOf, reasonBlock, smallPrint } from './facts.ts';
import {
  capital,
  contactName,
  contentShort,
  countriesShort,
  freezeLine,
  person,
  requestShort,
  when,
} from './format.ts';
import { frozenLine, hasAnswerToShow, historyLines, yesLines } from './history.ts';
import { ACTION } from './ids.ts';
import { newsSentence, outcomeSentence, stateWord } from './sentences.ts';
import { nudgeLine, talkLines } from './talk.ts';
import { literal } from './text.ts';
import { whereSettled } from './unknown.ts';

/**
 * The requester's direct message from filing on, with all the facts; edited on the way, up to the outcome. Withdraw stands on it until
 * sending starts.
 */
export function statusMessage(record: PurchaseRecord, around: Surroundings): DrawnMessage {
  const { purchase } = record;
  const { state, kind } = purchase;
  const withdrawable = state === 'requested' || state === 'approved';
  return {
    text: `Your request: ${requestShort(purchase)}: ${stateWord(state)}`,
    blocks: [
      section(outcomeSentence(purchase)),
      ...(state === 'requested' ? [section(`Open until ${when(purchase.expiresAt)}.`)] : []),
      ...paragraph(state === 'requested' ? yesLines(record, around.twoPeople) : []),
      ...(state === 'requested' && tooFew(around) ? [section(tooFewApprove(around, isKept(purchase)))] : []),
      ...(state === 'unknown' ? [section(whereSettled(purchase, around))] : []),
      fields([...ownFactsOf(purchase), ...costFields(record, around), ['Asked', when(purchase.createdAt)]]),
      ...paragraph(historyLines(record)),
      ...paragraph([...talkLines(record), state === 'requested' ? nudgeLine(record) : null]),
      ...(withdrawable ? paragraph([freezeLine(around.freeze)]) : []),
      ...(state === 'completed' && kind === 'buy' ? [section(whereProxiesAre(record))] : []),
      smallPrint(purchase),
      reasonBlock(purchase.reason),
      ...actions([...requesterButtons(purchase, around), ...finalButtons(record)]),
    ],
  };
}

function tooFew({ othersWhoApprove, twoPeople }: Surroundings): boolean {
  return othersWhoApprove !== undefined && othersWhoApprove < (twoPeople ? 2 : 1);
}

export function tooFewApprove({ othersWhoApprove, contact }: Surroundings, kept = false): string {
  const own = kept ? 'a renewal of their own order, or of one that they marked “Keep”' : 'their own request';
  return othersWhoApprove === 0
    ? `*Nobody else can approve it at present*: the groups that approve have no other usable member, and nobody approves ${own}. Tell ${contactName(contact)}.`
    : `*Only one other person can approve it at present*, and two have to. Tell ${contactName(contact)}.`;
}

/** Until sending starts it can be withdrawn; what is over can be asked for again, with the same content. */
export function requesterButtons(
  { id, state, kind }: Purchase,
  { cardsIn }: Pick<Surroundings, 'cardsIn'>,
): readonly types.Button[] {
  switch (state) {
    case 'requested':
    case 'approved':
      return [
        ...(state === 'requested' && cardsIn !== null ? [button('Nudge', ACTION.nudge, id)] : []),
        confirmed(button('Withdraw', ACTION.withdraw, id), {
          title: 'Withdraw this request?',
          text: 'Nothing of it is sent then. It can be asked for again.',
          yes: 'Withdraw',
          no: 'Keep it',
        }),
      ];
    case 'rejected':
    case 'declined':
    case 'expired':
    case 'withdrawn':
      return [button('Ask again', ACTION.askAgain, id)];
    case 'completed':
      return kind === 'buy' ? [button('Buy again', ACTION.askAgain, id)] : [];
    case 'sending':
    case 'unknown':
      return [];
    default:
      return state satisfies never;
  }
}

function whereProxiesAre(record: PurchaseRecord): string {
  return hasAnswerToShow(record)
    ? "Fetch the proxies from the vendor's answer (*Show the answer*, only you and approvers can open it) or from the vendor's console."
    : "Fetch the proxies from the vendor's console.";
}

/**
 * The new direct message that tells the requester an outcome, a rejection or an expiry. It rings the bell and is short: the facts are
 * in the message that they got at filing. It is edited like every other: where the purchase has moved on since, it says so.
 * @param about the state that it was posted to tell of
 */
export function outcomeMessage(record: PurchaseRecord, about: State, { links }: Surroundings): DrawnMessage {
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
export function passedOnMessage(record: PurchaseRecord, around: Surroundings): DrawnMessage {
  const whose = `For ${person(record.purchase.requester)}, who cannot be written to. Please pass it on.`;
  return { text: news(record), blocks: [section(whose), ...statusMessage(record, around).blocks] };
}

/** What of the purchase the sentence above does not name. */
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
