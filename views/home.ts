import type { HomePage, HomeSurroundings } from '../src/purchasing/home-pages.ts';
import type { Request } from '../src/purchasing/model/batch.ts';
import type { Order } from '../src/purchasing/model/order.ts';
import { isRefusal, type Refusal } from '../src/purchasing/model/refusals.ts';
import type { HomeView } from '../src/purchasing/ports/homes.ts';
import { COUNTED_AT_MOST } from '../src/purchasing/ports/orders.ts';
import { batchLines, batchRequesterButtons } from './batch.ts';
import {
  actions,
  type Block,
  button,
  context,
  type DrawnMessage,
  fitting,
  header,
  paragraph,
  section,
} from './blocks.ts';
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
import { decidingBlocks, requestLines } from './reports.ts';
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

/** Of a request in a list, on average: a batch of which something is unknown has four. */
const BLOCKS_A_REQUEST = 3;

function waitingBlocks({ waiting, theirs, now }: HomePage, atMost: number): readonly Block[] {
  const parts = waiting.map((request) => [section(requestLines(request, now)), ...decidingBlocks(request, theirs)]);
  const shown = fitting(parts, atMost, atMost * BLOCKS_A_REQUEST);
  return [
    header('Waiting for your decision'),
    ...(waiting.length === 0 ? [context('Nothing waits for your decision.')] : []),
    ...shown.flat(),
    ...andMore(waiting.length, shown.length, 'See `/proxy requests`.'),
  ];
}

function openBlocks({ open, now }: HomePage, atMost: number): readonly Block[] {
  return [
    header('Your requests'),
    ...(open.length === 0 ? [context('None is open.')] : []),
    ...open.slice(0, atMost).map((request) => section(requestLines(request, now), buttonsOf(request)[0])),
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
    ...outcomes.flatMap((request) => [section(outcomeLines(request, now)), ...actions(outcomeButtons(request))]),
  ];
}

/** Of this person's own. */
function buttonsOf(request: Request) {
  return 'rows' in request ? batchRequesterButtons(request, NOWHERE) : requesterButtons(request, NOWHERE);
}

function outcomeLines(request: Request, now: number): string {
  if ('rows' in request) return batchLines(request, now);
  const { state, changedAt, id } = request;
  return [
    `*${capital(requestShort(request))}*: ${stateWord(state)} ${ago(changedAt, now)} · request ${literal(id, 60)}`,
    ...(state === 'completed' ? [] : [outcomeSentence(request)]),
  ].join('\n');
}

function outcomeButtons(request: Request) {
  const enter = 'rows' in request || !canEnterOrderId(request) ? [] : [enterOrderIdButton(request)];
  return [...buttonsOf(request), ...enter];
}

function andMore(count: number, atMost: number, where: string): readonly Block[] {
  return count > atMost ? [context(`and ${count - atMost} more. ${where}`)] : [];
}
