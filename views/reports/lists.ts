import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import { sentAt } from '../../src/purchasing/model/order.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { decisionButtons } from '../approval/card.ts';
import { type Block, context, type Message, paragraph, section } from '../blocks.ts';
import { enterOrderIdButton } from '../facts.ts';
import { ago, contentShort, countriesShort, freezeLine, ips, orderNumber, person, planName, when } from '../format.ts';
import { canEnterOrderId } from '../history.ts';
import { stateWord } from '../sentences.ts';
import { literal } from '../text.ts';
import { settleButtons } from '../unknown/card.ts';

/** A message takes 50 blocks and about 10,000 characters. */
const SHOWN = 20;

/**
 * What is waiting, being sent or unknown; oldest first.
 * @param theirs the ids of what the reader may decide or settle
 */
export function requestsMessage(
  purchases: readonly Purchase[],
  now: number,
  freeze: Freeze | null,
  theirs: ReadonlySet<string> = new Set(),
): Message {
  const text =
    purchases.length === 0
      ? 'No request is open.'
      : `${purchases.length === 1 ? '1 request is' : `${purchases.length} requests are`} open.`;
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...purchases
        .slice(0, SHOWN)
        .flatMap((purchase) => [
          section(requestLines(purchase, now)),
          ...(theirs.has(purchase.id) ? decidingButtons(purchase) : []),
        ]),
      ...rest(purchases.length),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

function requestLines(purchase: Purchase, now: number): string {
  const what = `${purchase.kind === 'buy' ? 'Buy' : 'Renew'} ${contentShort(purchase)}`;
  const until = deadline(purchase);
  return [
    `*${what}* for ${person(purchase.requester)}: ${stateWord(purchase.state)}`,
    `Asked ${ago(purchase.createdAt, now)}${until} · request ${literal(purchase.id, 60)}`,
  ].join('\n');
}

function decidingButtons(purchase: Purchase): readonly Block[] {
  return purchase.state === 'unknown' ? settleButtons(purchase) : decisionButtons(purchase);
}

function deadline({ state, expiresAt, sendBy }: Purchase): string {
  if (state === 'requested') return `, open until ${when(expiresAt)}`;
  if (state === 'approved' && sendBy !== null) return `, sent by ${when(sendBy)} or not at all`;
  return state === 'unknown' ? ', an approver has to settle it' : '';
}

/**
 * Completed purchases, newest first.
 * @param theirs the ids of what the reader may enter an order id for, where it is not known
 */
export function ordersMessage(
  purchases: readonly Purchase[],
  now: number,
  theirs: ReadonlySet<string> = new Set(),
): Message {
  const text = purchases.length === 0 ? 'No completed purchase yet.' : 'Completed purchases, newest first';
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...purchases.slice(0, SHOWN).map((purchase) => {
        const asks = canEnterOrderId(purchase) && theirs.has(purchase.id);
        return section(orderText(purchase, now), asks ? enterOrderIdButton(purchase) : undefined);
      }),
      ...rest(purchases.length),
    ],
  };
}

function orderText(purchase: Purchase, now: number): string {
  const { kind, orderId, basket, quantity, plan, requester } = purchase;
  // A purchase that was settled late was placed when it was sent.
  const at = sentAt(purchase);
  const id = orderId === null ? 'Order id not known' : `Order ${orderNumber(orderId)}`;
  const size =
    quantity === null ? '' : `: ${ips(quantity)}${basket.length === 0 ? '' : ` (${countriesShort(basket)})`}`;
  return [
    `*${id}*${size}`,
    `${kind === 'buy' ? 'Bought' : 'Renewed'} by ${person(requester)}, ${when(at)} (${ago(at, now)}) · ${planName(plan)}`,
  ].join('\n');
}

function rest(count: number) {
  return count > SHOWN ? [context(`and ${count - SHOWN} more`)] : [];
}
