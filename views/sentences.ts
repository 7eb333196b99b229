import { plural } from '../src/plural.ts';
import { compare, difference, formatDollars, type Money } from '../src/purchasing/model/money.ts';
import type { Right } from '../src/purchasing/model/policy.ts';
import type { Purchase, State, Twin } from '../src/purchasing/model/purchase.ts';
import type { Refusal } from '../src/purchasing/model/refusals.ts';
import { ago, both, contactName, ips, orderNumber, person, quoted, seconds } from './format.ts';
import { literal } from './text.ts';

/** Who is told a refusal, and what the sentence needs besides. */
export interface Reader {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Slack user id: a request of the reader's own is called so. */
  readonly user: string;
  /** Who the policy names to turn to. */
  readonly contact: string | null;
  /** What was asked for, where the right that is missing does not say it. */
  readonly asked?: string;
}

type Of<R extends Refusal['refused']> = Extract<Refusal, { refused: R }>;

const DOES = {
  balance: 'see the balance',
  buy: 'buy proxies',
  renew: 'renew orders',
  approve: 'approve, settle or freeze',
} as const satisfies Record<Right, string>;

const BARRED = {
  guest: 'Guests cannot use Proxy Desk.',
  bot: 'Bots cannot use Proxy Desk.',
  deactivated: 'This Slack account is deactivated, so it cannot use Proxy Desk.',
  outsider: 'People of other organisations cannot use Proxy Desk.',
} as const satisfies Record<Of<'barred'>['as'], string>;

/** For every expected "no": what happened, what it means for the money, what to do next. mrkdwn, to be shown verbatim. */
const REFUSALS = {
  not_in_group: ({ right }, { asked, contact }) =>
    `You are not in a group that may ${asked ?? DOES[right]}. Nothing was done and no money moved. Ask ${contactName(contact)} to add you.`,
  nobody_in_group: ({ right }, { asked, contact }) =>
    `At present nobody may ${asked ?? DOES[right]}: the groups for it are empty, disabled or not configured. Nothing was done and no money moved. Tell ${contactName(contact)}.`,
  barred: ({ as }) => `${BARRED[as]} Nothing was done and no money moved.`,
  rights_unreadable: ({ retryAfterSeconds }) =>
    `Your rights could not be checked with Slack, so nothing was done and no money moved. Try again in ${seconds(retryAfterSeconds)}.`,
  own_purchase: () =>
    'This is your own request, so somebody else has to decide it. Nothing has changed and no money moved.',
  kept_by_you: () =>
    'You marked this order “Keep”, and that has asked for this renewal, so somebody else has to decide it. Nothing has changed and no money moved. If it is not wanted any more, reject it, or let the order end.',
  not_requester: () =>
    'Only the person who asked for this may do that (an approver may enter its order id or see the answer). Nothing has changed.',
  first_yes_is_yours: () =>
    'You have said yes already, and two people are needed: one more has to be somebody else’s. Nothing has changed and no money moved.',
  not_first_approver: ({ firstApprover }) =>
    firstApprover === null
      ? 'There is no yes to take back. Nothing has changed and no money moved.'
      : `Only ${person(firstApprover)}, who said yes, can take it back. You can reject the request instead. Nothing has changed.`,
  wrong_card: () =>
    'This button does not belong here, so the click does not count. Nothing has changed. Use the card of that request, or `/proxy requests`.',
  no_such_purchase: () =>
    'Proxy Desk knows no such request. Nothing has changed and no money moved. See `/proxy requests`.',
  plan_gone: ({ name }) =>
    `The plan ${literal(name, 200)} is no longer offered. Nothing was filed and no money moved. Start again and choose another plan.`,
  over_order_limit: ({ quantity, limit }) =>
    `This asks for ${ips(quantity)}, and one order may have at most ${limit}. Nothing was filed and no money moved. Lower the quantities.`,
  over_day_limit: ({ quantity, counted, limit }) => {
    const left = Math.max(0, limit - counted);
    const next = left === 0 ? 'None are left for now: try again later.' : `Up to ${left} would still fit.`;
    return `This asks for ${ips(quantity)}, and you have ${counted} of ${limit} in the last 24 hours already. Nothing was filed and no money moved. ${next}`;
  },
  over_dollar_limit: ({ whose, spent, cost, limit, timeZone }) =>
    `${cost === null ? 'No price is observed yet for this' : `This would cost about ${formatDollars(cost)} at prices observed`}, and ${whose === 'person' ? 'you have' : 'everybody together has'} spent or asked for about ${formatDollars(spent)} of ${formatDollars(limit)} in this calendar month (${timeZone}) already. Nothing was filed and no money moved. ${whatFits(spent, limit)}`,
  twin_open: ({ twin }, { user }) =>
    `${twin.requester === user ? 'You have' : `${person(twin.requester)} has`} asked for the same already (request ${literal(twin.id, 60)}), and ${TWIN_STANDS[twin.state]} Nothing was filed, so that it is not paid twice. See \`/proxy requests\`.`,
  twin_just_declined: ({ twin, retryAfterSeconds }, { user }) =>
    `The vendor declined the same a moment ago (asked for by ${whom(twin, user)}). Nothing was filed and no money moved. If you still want it, try again in ${seconds(retryAfterSeconds)}.`,
  twin_completed: ({ twin }, reader) =>
    `${completedTwin(twin, reader)} Nothing was filed, so that it is not paid twice. To pay for another one, tick “This is a new, separate purchase”.`,
  asked_since: ({ twin }, { user }) =>
    `${twin.requester === user ? 'You have' : `${person(twin.requester)} has`} asked for the same since this review was shown (request ${literal(twin.id, 60)}), and ${TWIN_STANDS[twin.state]} Nothing was filed by this review, and no money moved by it. Look at it again, and submit it only if it is wanted besides.`,
  order_never_seen: ({ orderId }) =>
    `This bot has never seen order ${orderNumber(orderId)}. Nothing was filed and no money moved. Check the id; if it is right, tick that you know this order.`,
  order_not_in_book: ({ orderId }) =>
    `This bot knows no order ${orderNumber(orderId)}. Nothing has changed. See \`/proxy orders\`; what was bought elsewhere can be imported.`,
  not_owner: ({ owner }) =>
    `Only ${owner === null ? '' : `its owner, ${person(owner)}, and `}those who approve change this order. Nothing has changed.`,
  heir_may_not_renew: ({ user }) =>
    `${person(user)} may not renew orders, so nothing was handed over. Choose somebody who may, or ask an admin to let them.`,
  wrong_reminder: () =>
    'This button does not belong here, so the click does not count. Nothing has changed. Use the newest reminder, or `/proxy orders`.',
  ends_before_tomorrow: ({ orderId }) =>
    `Order ${orderNumber(orderId)} ends before the next reminder would come, or does not end any more. Nothing has changed. See \`/proxy orders\`.`,
  not_kept_now: ({ orderId }) =>
    `Order ${orderNumber(orderId)} is not to be kept any more, or was renewed already. Nothing was filed and no money moved.`,
  kept_while_frozen: ({ freeze }) =>
    `Spending is frozen by ${person(freeze.by)}: ${literal(freeze.reason, 600)}\nWhat is kept is not filed meanwhile, and no money moved.`,
  kept_before_restore: () =>
    'The ledger went back in time since “Keep” was said, and may have forgotten a renewal. Nothing was filed and no money moved. Compare with the vendor’s console.',
  no_such_basket: () => 'This saved basket is gone: somebody has removed it. Nothing has changed.',
  not_basket_maker: ({ by }) =>
    `Only ${person(by)}, who saved this basket, and those who approve rename or remove it. Nothing has changed.`,
  basket_name_missing: () => 'There is nothing to be seen in this name. Nothing has changed: type another one.',
  basket_name_too_long: ({ limit }) => `A name has at most ${limit} characters. Nothing has changed.`,
  basket_name_taken: () => 'A saved basket has this name already. Nothing has changed: choose another name.',
  too_many_baskets: ({ limit }) =>
    `There are ${limit} saved baskets, which is the most there can be. Nothing was saved: remove one first, with “Manage” in the form.`,
  approval_now_needed: () =>
    'This now needs approval: your free allowance was used in the meantime, or it is no longer known what something costs. Nothing was filed and no money moved. Look at it again, and ask for approval.',
  cost_changed: ({ shown, now }) =>
    `What is known of its cost has changed: the review said ${costOr(shown)}, and now it is ${costOr(now)}. Nothing was filed and no money moved. Look at it again, and submit it if it is still wanted.`,
  rows_refused: ({ rows }, reader) =>
    `*Nothing of it was filed*, since it is all filed together or not at all.\n${rows
      .map(
        ({ orderId, because }) =>
          `• Order ${orderNumber(orderId)}: ${refusalSentence(because, reader).replace(NOT_FILED, '')}`,
      )
      .join('\n')}`,
  filed_alone: ({ id, state }) =>
    `It was filed by this very form before, as request ${literal(id, 60)}, and ${TWIN_STANDS[state]} The ledger has gone back in time and forgotten what was filed with it. Ask an approver to compare with the vendor's console; then start again, in a new form, with what is still wanted.`,
  review_outdated: () =>
    'What you submitted was an earlier review, and something has changed since. Look at it as it stands now, and submit it again.',
  wrong_state: ({ purchase, decidedBy }, { user }) =>
    `${purchase.requester === user ? 'This is your own request. ' : ''}${standsAt(purchase, decidedBy)} Your click changed nothing.`,
  first_yes_changed: () =>
    'Somebody else said yes, or took it back, at this very moment. Nothing has changed and no money moved: look at the card, and press again.',
  nudged_already: ({ retryAfterMinutes }) =>
    `You have nudged the approvers within the last hour already. You can again in ${plural(retryAfterMinutes, 'minute')}.`,
  no_approvals_channel: () =>
    'At present requests are not decided in a channel, so this was passed on to nobody. Nothing has changed.',
  no_such_fall: () => 'Proxy Desk knows of no such change of the balance. Nothing has changed.',
  fall_known: ({ by }) => `${person(by)} has said already where this money went. Nothing has changed.`,
  no_such_question: () => 'Proxy Desk knows no such question. Nothing has changed.',
  question_answered: () => 'This question is answered already. Nothing has changed: the first answer stands.',
  order_id_taken: ({ orderId, holder }) =>
    `Order id ${orderNumber(orderId)} already belongs to another purchase (request ${literal(holder, 60)}). Nothing has changed. Check the id in the vendor's console.`,
  order_id_known: ({ orderId }) =>
    `The vendor's answer names order id ${orderNumber(orderId)} for this purchase, so it stays. Nothing has changed.`,
  no_answer_kept: () => "No answer of the vendor is kept for this purchase: look in the vendor's console.",
  already_frozen: (freeze) =>
    `Spending is frozen already, by ${person(freeze.by)}: ${literal(freeze.reason, 600)}\nNothing has changed, and nothing is sent until \`/proxy unfreeze\`.`,
  not_frozen: () => 'Spending is not frozen. Nothing has changed: approved purchases are sent as usual.',
  delivered_again: () =>
    'Slack delivered this again. It was refused the first time, and nothing was done now. If you still want it, do it once more.',
  command_delivered_again: ({ freeze }) =>
    `Slack delivered this command again. It was answered the first time, and nothing was changed now. ${
      freeze ? `Spending is frozen by ${person(freeze.by)}: ${literal(freeze.reason, 600)}` : 'Spending is not frozen.'
    }`,
} as const satisfies { [R in Refusal['refused']]: (refusal: Of<R>, reader: Reader) => string };

function whatFits(spent: Money, limit: Money): string {
  return compare(spent, limit) >= 0
    ? 'Nothing is left until the month ends.'
    : `Up to about ${formatDollars(difference(limit, spent))} would still fit, at prices observed.`;
}

function costOr(amount: Money | null): string {
  return amount === null ? '“no price observed yet”' : `about ${formatDollars(amount)} at prices observed`;
}

export function refusalSentence(refusal: Refusal, reader: Reader): string {
  // TypeScript does not see that the key and the argument belong together; the map above is checked for it.
  const sentence = REFUSALS[refusal.refused] as (refusal: Refusal, reader: Reader) => string;
  return sentence(refusal, reader);
}

/** To whoever has submitted a review: that nothing was filed comes first, and is said once. */
export function notFiledSentence(refusal: Refusal, reader: Reader): string {
  const sentence = refusalSentence(refusal, reader);
  if (refusal.refused === 'rows_refused') return sentence;
  const [said] = NOT_FILED.exec(sentence) ?? [];
  return said === undefined
    ? `*Nothing was filed.* ${sentence}`
    : `*${said.trim()}* ${sentence.replace(NOT_FILED, '')}`;
}

const NOT_FILED = / Nothing was filed[^.]*\./;

export function completedTwin(twin: Twin, { now, user }: Pick<Reader, 'now' | 'user'>): string {
  return `The same was completed ${ago(twin.changedAt, now)} (request ${literal(twin.id, 60)}, asked for by ${whom(twin, user)}).`;
}

function whom({ requester }: Pick<Twin, 'requester'>, user: string): string {
  return requester === user ? 'you' : person(requester);
}

const TWIN_STANDS = {
  requested: 'it waits for approval.',
  approved: 'it is approved and about to be sent.',
  sending: 'it is being sent now.',
  unknown: 'its outcome is unknown: an approver has to settle it first.',
  completed: 'it is completed.',
  declined: 'it was declined.',
  rejected: 'it was rejected.',
  withdrawn: 'it was withdrawn.',
  expired: 'it has expired.',
} as const satisfies Record<State, string>;

/** Where a request stands, told to somebody who clicked too late. */
function standsAt(purchase: Purchase, decidedBy: string | null): string {
  const approved = howApproved(purchase, decidedBy);
  switch (purchase.state) {
    case 'requested':
      return 'This request still waits for a decision. No money has moved.';
    case 'approved':
      return `${approved}. It waits to be sent; no money has moved yet.`;
    case 'sending':
      return `${approved}. It is being sent to the vendor now; money may be leaving.`;
    case 'completed':
      return `${approved}. It is completed: money was spent.`;
    case 'declined':
      return `${approved}. It was declined${why(purchase)}`;
    case 'unknown':
      return `${approved}. The outcome is unknown, and money may have been spent: an approver has to settle it.`;
    case 'rejected':
      return `This request was rejected${decidedBy === null ? '' : ` by ${person(decidedBy)}`}${saying(purchase)} No money moved.`;
    case 'withdrawn':
      return purchase.why === null
        ? `This request was withdrawn by ${person(purchase.requester)}. No money moved.`
        : `This request was withdrawn${why(purchase)} No money moved.`;
    case 'expired':
      return `This request has expired${why(purchase)} No money moved. If it is still wanted, it has to be asked for again.`;
    default:
      return purchase satisfies never;
  }
}

function howApproved({ needsApproval, requester, firstApprover }: Purchase, decidedBy: string | null): string {
  if (decidedBy !== null) return `This request was already approved by ${both(firstApprover, decidedBy)}`;
  return needsApproval
    ? 'Nobody has decided on this request'
    : `This request was confirmed by ${person(requester)} and needed no approval`;
}

/** The state in a list. */
export function stateWord(state: State): string {
  return STATE_WORDS[state];
}

const STATE_WORDS = {
  requested: 'waiting for approval',
  approved: 'approved, waiting to be sent',
  sending: 'being sent',
  completed: 'completed',
  declined: 'declined',
  unknown: 'unknown',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  expired: 'expired',
} as const satisfies Record<State, string>;

/** The state as people are told of it, with what it means for the money. mrkdwn, to be shown verbatim. */
export function outcomeSentence(purchase: Purchase): string {
  const { state, approver, requester } = purchase;
  switch (state) {
    case 'requested':
      return '*Waiting for approval.* No money has moved.';
    case 'approved': {
      const again = purchase.attempt === null ? '' : ` The last try did not leave${why(purchase)} It is tried again.`;
      return `${approver === null ? '*Confirmed*, no approval needed.' : '*Approved.*'} Waiting to be sent; no money has moved yet.${again}`;
    }
    case 'sending':
      return purchase.attempt?.refused
        ? '*The vendor said no.* The balance is compared before it counts as declined.'
        : '*Being sent to the vendor.* Money may be leaving now.';
    case 'completed':
      return purchase.kind === 'buy'
        ? `*Bought: ${ips(purchase.quantity)}*`
        : `*Renewed: order ${orderNumber(purchase.orderId)}*`;
    case 'declined':
      return DECLINED[purchase.declinedHow ?? 'vendor'](purchase);
    case 'unknown':
      return `*Outcome unknown*${because(purchase)} Money may have been spent. Do not ask for it again: an approver settles it.`;
    case 'rejected':
      return `*Rejected* by ${person(approver ?? requester)}${saying(purchase)} No money moved.`;
    case 'withdrawn':
      return purchase.why === null
        ? `*Withdrawn* by ${person(requester)}. No money moved.`
        : `*Withdrawn*${why(purchase)} No money moved.`;
    case 'expired':
      return `*The request has expired*${why(purchase)} No money moved. If it is still wanted, ask again.`;
    default:
      return state satisfies never;
  }
}

/** The state as news to the requester. */
export function newsSentence(purchase: Purchase): string {
  const { state, approver, requester } = purchase;
  return state === 'rejected'
    ? `Your request *was rejected by* ${person(approver ?? requester)}${saying(purchase)} No money moved.`
    : outcomeSentence(purchase);
}

const DECLINED = {
  vendor: ({ kind }) => `*Declined by the vendor*: nothing was ${kind === 'buy' ? 'bought' : 'renewed'}.`,
  not_sent: (purchase) => `*Declined*: nothing was sent, so no money moved${why(purchase)}`,
  settled: ({ kind }) => `*Declined*: settled as not placed, so nothing was ${kind === 'buy' ? 'bought' : 'renewed'}.`,
} as const satisfies Record<NonNullable<Purchase['declinedHow']>, (purchase: Purchase) => string>;

/** The end of a sentence: `: nobody decided in time.`, or only its full stop where nothing is known. */
function why({ why: reason }: Purchase): string {
  return reason === null ? '.' : `: ${clause(reason)}.`;
}

/** `: the vendor did not answer within 8 s, so nobody can tell …` */
function because({ why: reason }: Purchase): string {
  return reason === null ? '.' : `: ${clause(reason)}, so nobody can tell whether the order went through.`;
}

/** The end of a sentence in a person's own words: `: “Too many.”` */
function saying({ why: reason }: Purchase): string {
  if (reason === null) return '.';
  return `: ${quoted(reason, 700)}${/[.!?…]\s*$/.test(reason) ? '' : '.'}`;
}

function clause(text: string): string {
  return literal(text, 700).replace(/\.$/, '');
}

/** Something broke on our side. @param reference under which the log has it */
export function brokenSentence(reference: string): string {
  return `Something went wrong here (reference ${literal(reference, 40)}). If you were asking for a purchase, look at \`/proxy requests\` before you try again: what was filed stands there, and nothing is ever sent twice.`;
}

/** The ledger cannot be reached, read or written. @param nothingDone where that is known. */
export function ledgerAwaySentence(reference: string, nothingDone: boolean): string {
  const known = nothingDone ? ' *Nothing was filed or decided*, and no money has moved.' : '';
  return `The ledger cannot be reached at the moment (reference ${literal(reference, 40)}).${known} Please try again in a minute.`;
}

/** Whether the ledger has kept it could not be learnt. */
export function doubtSentence(reference: string): string {
  return `The ledger did not say whether it has kept this (reference ${literal(reference, 40)}): it may have been filed or decided, or not. Look at \`/proxy requests\` before you try again: what was filed stands there, and nothing is ever sent twice.`;
}

/** It is still under way when Slack waits no longer. */
export function lateSentence(): string {
  return 'This takes longer than Slack waits. It may still be filed or decided: *this view says so* as soon as it is known. If it does not within a minute, look at `/proxy requests` before you try again: what was filed stands there, and nothing is ever sent twice.';
}
