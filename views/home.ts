import type { HomePage, HomeSurroundings } from '../src/purchasing/home-pages.ts';
import type { Order } from '../src/purchasing/model/order.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../src/purchasing/model/refusals.ts';
import type { HomeView } from '../src/purchasing/ports/homes.ts';
import { COUNTED_AT_MOST } from '../src/purchasing/ports/orders.ts';
import { actions, type Block, button, context, type DrawnMessage, header, paragraph, section } from './blocks.ts';
import { enterOrderIdButton } from './facts.ts';
import {
  ago,
  balanceNow,
  capital,
  countriesShort,
  endText,
  freezeLine,
  ips,
  orderNumber,
  planName,
  requestShort,
} from './format.ts';
import { canEnterOrderId } from './history.ts';
import { ACTION } from './ids.ts';
import { decidingButtons, requestLines } from './reports.ts';
import { outcomeSentence, refusalSentence, stateWord } from './sentences.ts';
import { requesterButtons } from './status.ts';
import { literal } from './text.ts';

/** What concerns a card stands on the message that tells of it. */
const NOWHERE = { cardsIn: null };

/** Of each list; the rest is a number. A view takes 100 blocks, and a request two of them. */
const SHOWN = 10;

/** The Home tab of one person: one sentence for whoever has no right at all. */
export function homeView(
  found: HomePage | Refusal,
  { user, now, contact, balance }: HomeSurroundings,
): HomeView & { readonly blocks: readonly Block[] } {
  if (isRefusal(found))
    return { type: 'home', blocks: [section(refusalSentence(found, { now, user, contact, asked: 'use Proxy Desk' }))] };
  return {
    type: 'home',
    blocks: [
      ...(balance === undefined ? [] : [section(`*Balance: ${balanceNow(balance)}*`)]),
      ...paragraph([freezeLine(found.freeze)]),
      ...startButtons(found),
      ...(found.rights.has('approve') || found.waiting.length > 0 ? waitingBlocks(found, SHOWN) : []),
      ...openBlocks(found, SHOWN),
      ...orderBlocks(found),
      ...outcomeBlocks(found),
    ],
  };
}

/** A message takes 50 blocks and about 10,000 characters. */
const SHOWN_IN_MESSAGE = 7;

/** `/proxy requests mine`: the same lists, as a private answer. */
export function mineMessage(found: HomePage): DrawnMessage {
  const text = `Your requests: ${countOpen(found)}`;
  return {
    text,
    blocks: [
      ...(found.waiting.length === 0 ? [] : waitingBlocks(found, SHOWN_IN_MESSAGE)),
      ...openBlocks(found, SHOWN_IN_MESSAGE),
      ...outcomeBlocks(found),
      ...paragraph([freezeLine(found.freeze)]),
    ],
  };
}

function countOpen({ open, waiting }: HomePage): string {
  const decide = waiting.length === 0 ? '' : `, ${waiting.length} to decide`;
  return `${open.length === 0 ? 'none' : open.length} open${decide}`;
}

function startButtons({ rights }: HomePage): readonly Block[] {
  return actions([
    ...(rights.has('buy') ? [button('Buy', ACTION.buy, undefined, 'primary')] : []),
    ...(rights.has('renew') ? [button('Renew', ACTION.renewSeveral)] : []),
  ]);
}

function waitingBlocks({ waiting, now }: HomePage, atMost: number): readonly Block[] {
  return [
    header('Waiting for your decision'),
    ...(waiting.length === 0 ? [context('Nothing waits for your decision.')] : []),
    ...waiting
      .slice(0, atMost)
      .flatMap((purchase) => [section(requestLines(purchase, now)), ...decidingButtons(purchase)]),
    ...andMore(waiting.length, atMost, 'See `/proxy requests`.'),
  ];
}

function openBlocks({ open, now }: HomePage, atMost: number): readonly Block[] {
  return [
    header('Your requests'),
    ...(open.length === 0 ? [context('None is open.')] : []),
    ...open
      .slice(0, atMost)
      .map((purchase) => section(requestLines(purchase, now), requesterButtons(purchase, NOWHERE)[0])),
    ...andMore(open.length, atMost, 'See `/proxy requests`.'),
  ];
}

function orderBlocks({ orders, ordersInAll, rights, now }: HomePage): readonly Block[] {
  return [
    header('Your orders'),
    ...(orders.length === 0 ? [context('None of yours is running.')] : []),
    ...orders
      .slice(0, SHOWN)
      .flatMap((order) => [section(orderLines(order, now)), ...actions(orderButtons(order, rights))]),
    ...(ordersInAll > SHOWN ? [context(`${moreOrders(ordersInAll)}. See \`/proxy orders mine\`.`)] : []),
  ];
}

function moreOrders(inAll: number): string {
  return inAll < COUNTED_AT_MOST ? `and ${inAll - SHOWN} more` : 'and many more';
}

function orderButtons({ orderId }: Order, rights: HomePage['rights']) {
  return [
    button('Open', ACTION.openOrder, orderId),
    ...(rights.has('renew') ? [button('Renew', ACTION.renewOrder, orderId)] : []),
  ];
}

function orderLines({ orderId, basket, quantity, plan, endsAt, intent }: Order, now: number): string {
  const countries = basket.length === 0 ? '' : ` (${countriesShort(basket)})`;
  const wish = { keep: ' · kept: renewed by itself', let_end: ' · let end', none: '' }[intent ?? 'none'];
  return [
    `*Order ${orderNumber(orderId)}*: ${ips(quantity)}${countries}`,
    `${planName(plan)} · ${endText(endsAt, now)}${wish}`,
  ].join('\n');
}

function outcomeBlocks({ outcomes, now }: HomePage): readonly Block[] {
  if (outcomes.length === 0) return [];
  return [
    header('Recently'),
    ...outcomes.flatMap((purchase) => [section(outcomeLines(purchase, now)), ...actions(outcomeButtons(purchase))]),
  ];
}

function outcomeLines(purchase: Purchase, now: number): string {
  const { state, changedAt, id } = purchase;
  return [
    `*${capital(requestShort(purchase))}*: ${stateWord(state)} ${ago(changedAt, now)} · request ${literal(id, 60)}`,
    ...(state === 'completed' ? [] : [outcomeSentence(purchase)]),
  ].join('\n');
}

function outcomeButtons(purchase: Purchase) {
  return [...requesterButtons(purchase, NOWHERE), ...(canEnterOrderId(purchase) ? [enterOrderIdButton(purchase)] : [])];
}

function andMore(count: number, atMost: number, where: string): readonly Block[] {
  return count > atMost ? [context(`and ${count - atMost} more. ${where}`)] : [];
}
