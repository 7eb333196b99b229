import { isCountry } from '../../src/purchasing/model/countries.ts';
import { type Intent, type Order, sentAt } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { BookPage, BookQuery } from '../../src/purchasing/order-book.ts';
import { orderState } from '../../src/purchasing/rules/orders.ts';
import { actions, type Block, button, context, type DrawnMessage, section } from '../blocks.ts';
import { enterOrderIdButton } from '../facts.ts';
import {
  capital,
  countriesShort,
  country,
  endText,
  ips,
  orderNumber,
  person,
  planName,
  quoted,
  when,
} from '../format.ts';
import { ACTION } from '../ids.ts';
import { importButton } from '../import.ts';
import { literal } from '../text.ts';

/** A message takes 50 blocks and about 10,000 characters. */
export const ORDERS_A_PAGE = 10;
const UNNAMED_SHOWN = 5;

/** Enough of a note to tell one order from another. */
const NOTE_SHOWN = 80;

/** One page of the order book, for one person's eyes. */
export function bookMessage(found: BookPage, query: BookQuery): DrawnMessage {
  const { orders, unnamed, total, more } = found;
  const none = orders.length === 0;
  const text = none ? nothingIn(query, found) : `${scopeOf(query, found)}: ${more ? `${total} or more` : total}`;
  return {
    text,
    blocks: [
      ...unnamedBlocks(unnamed),
      section(none ? `*${text}*\n${whatNext(query)}` : `*${text}*`),
      ...orders.map((order) => section(lines(order, found), button('Open', ACTION.openOrder, order.orderId))),
      ...(none ? [] : [context(footer(found, query))]),
      ...actions([...(none ? [] : [button('Renew several', ACTION.renewSeveral)]), ...turning(found, query)]),
    ],
  };
}

function unnamedBlocks(unnamed: BookPage['unnamed']): readonly Block[] {
  if (unnamed.length === 0) return [];
  const left = unnamed.length - UNNAMED_SHOWN;
  return [
    section(
      '*Bought, but under which order id?* The vendor’s answer did not say. Without it they cannot be renewed, nor found below.',
    ),
    ...unnamed
      .slice(0, UNNAMED_SHOWN)
      .flatMap(({ purchase, theirs, own }) => [
        section(unnamedLines(purchase)),
        ...actions([
          ...(theirs ? [enterOrderIdButton(purchase)] : []),
          ...(own ? [button('Buy again', ACTION.askAgain, purchase.id)] : []),
        ]),
      ]),
    ...(left > 0 ? [context(`and ${left} more without an order id`)] : []),
  ];
}

function unnamedLines(purchase: Purchase): string {
  const { basket, quantity, requester, id } = purchase;
  return `*Order id not known*: ${ips(quantity)} (${countriesShort(basket)})\nBought by ${person(requester)}, ${when(sentAt(purchase))} · request ${literal(id, 60)}`;
}

function lines(order: Order, { now, endingWithinMs }: BookPage): string {
  const { orderId, basket, quantity, plan, owner, note, intent } = order;
  const size = quantity === null ? ' · what is in it is not known' : ` · ${ips(quantity)}`;
  const countries = basket.length === 0 ? '' : ` (${countriesShort(basket)})`;
  return [
    `*Order ${orderNumber(orderId)}*${size}${countries}`,
    stateText(order, now, endingWithinMs),
    [
      owner === null ? 'nobody owns it' : person(owner),
      planName(plan),
      ...(note === null ? [] : [quoted(note, NOTE_SHOWN)]),
    ].join(' · '),
    ...(intent === null ? [] : [`_${INTENT[intent]}_`]),
  ].join('\n');
}

/** `*ending* · ends about Mar 12, 2026, in 3 days, computed by us` */
export function stateText(order: Order, now: number, endingWithinMs: number): string {
  const state = orderState(order, now, endingWithinMs);
  return state === 'end not known' ? '*end not known*' : `*${state}* · ${endText(order.endsAt, now)}`;
}

/** What its owner wants, as it stands beside the order. */
const INTENT = {
  keep: 'kept: to be renewed before it ends',
  let_end: 'to be let end',
} as const satisfies Record<Intent, string>;

/** `Your orders in 🇩🇪 Germany that end within 7 days` */
function scopeOf({ which, mine, country: code }: BookQuery, { endingWithinMs }: BookPage): string {
  const whose = `${which === 'all' ? 'All ' : ''}${mine ? 'your ' : ''}orders`;
  const that = {
    running: '',
    ending: ` that end within ${days(endingWithinMs)}`,
    ended: ' that have ended',
    all: '',
  }[which];
  return capital(`${whose}${placeOf(code)}${that}`);
}

function nothingIn({ which, mine, country: code }: BookQuery, { endingWithinMs }: BookPage): string {
  const that = {
    running: ' that still runs',
    ending: ` that ends within ${days(endingWithinMs)}`,
    ended: ' that has ended',
    all: '',
  }[which];
  return `There is no order${mine ? ' of yours' : ''}${placeOf(code)}${that}.`;
}

function placeOf(code: string | null): string {
  return code === null ? '' : ` in ${country(code)}`;
}

function days(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours < 48) return hours === 24 ? '1 day' : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

/** An empty answer says where else to look. */
function whatNext({ which, mine, country: code }: BookQuery): string {
  const wider = [
    ...(mine ? ['`/proxy orders`: everybody’s'] : []),
    ...(code === null ? [] : [`\`/proxy orders${mine ? ' mine' : ''}\`: in any country`]),
    ...(which === 'all'
      ? []
      : [
          `\`/proxy orders${mine ? ' mine' : ''} all\`: also those that ${which === 'ended' ? 'still run' : 'end later or have ended'}`,
        ]),
  ];
  return [...wider, '`/proxy buy`: buy some'].join('\n');
}

function footer({ page, pages, more }: BookPage, { which }: BookQuery): string {
  const order = which === 'running' || which === 'ending' ? 'the soonest end first' : 'the latest end first';
  const fewer = more ? '; fewer with a country, or `mine`' : '';
  const where = pages > 1 ? `Page ${page + 1} of ${pages}${more ? ' or more' : ''}, ${order}` : capital(order);
  return `${where}${fewer}. Ends are computed by us: the vendor tells none.`;
}

function turning({ page, pages, mayImport }: BookPage, query: BookQuery) {
  return [
    ...(page > 0 ? [button('Previous', ACTION.previousPage, pageValue(query, page - 1))] : []),
    ...(page + 1 < pages ? [button('Next', ACTION.nextPage, pageValue(query, page + 1))] : []),
    ...(mayImport ? [importButton()] : []),
  ];
}

/** What a page's button carries: `ended mine DE 2`. */
export function pageValue({ which, mine, country: code }: BookQuery, page: number): string {
  return [which, ...(mine ? ['mine'] : []), ...(code === null ? [] : [code]), page].join(' ');
}

/** Whatever is not exactly what {@link pageValue} writes is none. */
export function readPageValue(value: string): { readonly query: BookQuery; readonly page: number } | undefined {
  const [, which, mine, code, page] =
    /^(running|ending|ended|all)( mine)?(?: ([A-Z]{2}))? (0|[1-9]\d{0,5})$/.exec(value) ?? [];
  if (which === undefined || (code !== undefined && !isCountry(code))) return undefined;
  const query = { which: which as BookQuery['which'], mine: mine !== undefined, country: code ?? null };
  return { query, page: Number(page) };
}
