import { parseAllocations, type UnclearRow } from '../src/input/allocations.ts';
import { parseCountry, parseOrderId } from '../src/input/fields.ts';
import type { TypedProblem } from '../src/input/problem.ts';
import {
  decodeEntities,
  dropInvisible,
  dropOuterQuotes,
  hasQuote,
  normalise,
  showMentions,
  trimSpace,
  words,
} from '../src/input/text.ts';
import type { Basket } from '../src/purchasing/model/basket.ts';
import type { OrderId } from '../src/purchasing/model/order-id.ts';
import type { BookQuery } from '../src/purchasing/order-book.ts';

/** What was typed after `/proxy`. Whatever is not understood becomes a refusal or help; it never falls back to another verb. */
export type Command =
  | { readonly verb: 'help'; readonly unknownWord: string | null }
  | { readonly verb: 'balance' }
  /** An empty basket opens the empty form; of unclear rows the form asks for the country. */
  | { readonly verb: 'buy'; readonly basket: Basket; readonly unclear: readonly UnclearRow[] }
  | { readonly verb: 'baskets' }
  /** Null: the orders are chosen in a form. */
  | { readonly verb: 'renew'; readonly orderId: OrderId | null }
  /** `mine`: what concerns whoever asks. */
  | { readonly verb: 'requests'; readonly mine: boolean }
  | { readonly verb: 'orders'; readonly query: BookQuery }
  /** One order: `/proxy orders 123`. */
  | { readonly verb: 'order'; readonly orderId: OrderId }
  | { readonly verb: 'freeze'; readonly reason: string }
  | { readonly verb: 'unfreeze' }
  | { readonly verb: 'status' }
  | { readonly verb: 'refused'; readonly refusal: TypedProblem };

export const VERBS = [
  'help',
  'balance',
  'buy',
  'baskets',
  'renew',
  'requests',
  'orders',
  'freeze',
  'unfreeze',
  'status',
] as const;
export type Verb = (typeof VERBS)[number];

/** Reads the `text` of a slash command, as Slack sends it. Never throws. */
export function parseCommand(text: string): Command {
  const typed = dropOuterQuotes(dropInvisible(text));
  const [, first = '', rest = ''] = /^(<[^<>]*>|\P{White_Space}+)?(.*)$/su.exec(typed) ?? [];
  if (first === '') return { verb: 'help', unknownWord: null };
  const verb = readVerb(first);
  if (verb === null) return { verb: 'help', unknownWord: decodeEntities(showMentions(first)) };
  switch (verb) {
    case 'help':
      return { verb, unknownWord: null };
    case 'requests':
      return readRequests(rest);
    case 'balance':
    case 'baskets':
    case 'unfreeze':
    case 'status':
      return readNothing(verb, rest);
    case 'orders':
      return readOrders(rest);
    case 'buy':
      return readBuy(rest);
    case 'renew':
      return readRenew(dropOuterQuotes(normalise(rest)));
    case 'freeze':
      return readFreeze(rest);
  }
  return verb satisfies never;
}

/** Phones capitalise the first word. ASCII is checked before case is changed; a list is searched, so no word is inherited. */
function readVerb(word: string): Verb | null {
  const typed = normalise(word);
  if (!/^[A-Za-z]+$/.test(typed)) return null;
  const lower = typed.toLowerCase();
  return VERBS.find((verb) => verb === lower) ?? null;
}

function readNothing(verb: 'balance' | 'baskets' | 'unfreeze' | 'status', rest: string): Command {
  const [extra] = words(normalise(showMentions(rest)));
  return extra === undefined
    ? { verb }
    : refused({ problem: 'extra_words', after: verb, token: decodeEntities(extra) });
}

function readRequests(rest: string): Command {
  const [first, extra] = words(normalise(showMentions(rest)));
  const mine = first?.toLowerCase() === 'mine';
  const wrong = mine ? extra : first;
  return wrong === undefined
    ? { verb: 'requests', mine }
    : refused({ problem: 'extra_words', after: 'requests', token: decodeEntities(wrong) });
}

function readBuy(rest: string): Command {
  const { basket, unclear, problems } = parseAllocations(rest);
  return problems.length === 0
    ? { verb: 'buy', basket, unclear }
    : refused({ problem: 'rows', reading: { basket, unclear, problems } });
}

/** Without an order, several are chosen in a form. */
function readRenew(typed: string): Command {
  return typed === '' ? { verb: 'renew', orderId: null } : readOrderId('renew', typed);
}

/** A mention or link is one argument, whatever blanks its label holds; so is an id in brackets. */
const IN_BRACKETS = /^(?:<[^<>]*>|&lt;[^<>&]*&gt;)$/;

/** @param typed what follows the verb, normalised */
function readOrderId(after: 'renew' | 'orders', typed: string): Command {
  const shown = words(decodeEntities(showMentions(typed)));
  const quoted = shown.find(hasQuote);
  if (quoted !== undefined) return refused({ problem: 'stray_quote', token: quoted });
  const [, extra] = shown;
  if (extra !== undefined && !IN_BRACKETS.test(typed)) return refused({ problem: 'extra_words', after, token: extra });
  const reading = parseOrderId(typed);
  if (!reading.ok) return refused({ problem: reading.problem, token: reading.token, after });
  return { verb: after === 'renew' ? 'renew' : 'order', orderId: reading.orderId };
}

const WHICH = ['ending', 'ended', 'all'] as const;

/** In any order, each at most once: `mine`, which of them, and a country; or an order id alone. */
function readOrders(rest: string): Command {
  const typed = dropOuterQuotes(normalise(rest));
  const shown = words(decodeEntities(showMentions(typed)));
  // No country has a digit in its name.
  if (IN_BRACKETS.test(typed) || (shown.length === 1 && /\d/.test(typed))) return readOrderId('orders', typed);
  let mine = false;
  let which: BookQuery['which'] | undefined;
  const others: string[] = [];
  for (const word of shown) {
    const lower = /^[A-Za-z]+$/.test(word) ? word.toLowerCase() : '';
    const asked = WHICH.find((known) => known === lower);
    if (lower === 'mine' && !mine) mine = true;
    else if (asked && which === undefined) which = asked;
    else others.push(word);
  }
  const query = { which: which ?? 'running', mine } as const;
  if (others.length === 0) return { verb: 'orders', query: { ...query, country: null } };
  const reading = parseCountry(others.join(' '));
  if (reading.ok) return { verb: 'orders', query: { ...query, country: reading.country } };
  return reading.problem === 'country_unclear'
    ? refused({ problem: 'orders_unclear', token: reading.token, codes: reading.codes })
    : refused({ problem: 'orders_unknown', token: reading.token });
}

/** The reason is a person's sentence: decoded, otherwise kept as typed, quotes and full-width forms included. */
function readFreeze(rest: string): Command {
  const reason = trimSpace(decodeEntities(showMentions(rest)));
  return reason === '' ? refused({ problem: 'reason_missing' }) : { verb: 'freeze', reason };
}

function refused(refusal: TypedProblem): Command {
  return { verb: 'refused', refusal };
}
