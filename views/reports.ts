import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { decisionButtons } from './approval.ts';
import { type Block, context, type DrawnMessage, paragraph, says, section } from './blocks.ts';
import { ago, balanceNow, contentShort, freezeLine, person, when } from './format.ts';
import { stateWord } from './sentences.ts';
import { literal } from './text.ts';
import { settleButtons } from './unknown.ts';

const USAGE = [
  '`/proxy balance`: the balance, and what waits to be sent',
  '`/proxy buy` or `/proxy buy US 10, DE 5`: buy proxies',
  '`/proxy renew ORDER_ID`: renew an order; `/proxy renew`: choose several',
  '`/proxy requests [mine]`: what is waiting, being sent or unknown',
  '`/proxy orders`, `/proxy orders mine | ending | ended | all`, `/proxy orders DE`: what the team has, and when it ends',
  '`/proxy orders ORDER_ID`: all about one order',
  '`/proxy freeze REASON`, `/proxy unfreeze`: stop and resume all spending (approvers)',
  '`/proxy status`: what is being sent, what waits and why, what runs (approvers)',
].join('\n');

/** @param unknownWord the first word, if it is no command: as typed, decoded, not escaped */
export function helpText(unknownWord?: string | null): DrawnMessage {
  const unknown = unknownWord ? `“${literal(unknownWord, 100)}” is not a command. Nothing was done.\n` : '';
  return says(`${unknown}${USAGE}`);
}

const WAITING_SHOWN = 10;

/** @param waiting whatever is not over: waiting for approval, to be sent, being sent or unknown */
export function balanceText(
  reading: BalanceReading,
  waiting: readonly Purchase[],
  freeze: Freeze | null,
): DrawnMessage {
  const balance = `Balance: ${balanceNow(reading)}`;
  const toBeSent = waiting.filter(({ state }) => state === 'approved' || state === 'sending');
  const undecided = waiting.filter(({ state }) => state === 'requested').length;
  const unknown = waiting.filter(({ state }) => state === 'unknown').length;
  const shown = toBeSent.slice(0, WAITING_SHOWN).map((purchase) => `• ${waitingLine(purchase)}`);
  const more = toBeSent.length - shown.length;
  return {
    text: balance,
    blocks: [
      section(`*${balance}*`),
      section(
        [
          toBeSent.length === 0 ? 'Nothing waits to be sent.' : 'Waiting to be sent:',
          ...shown,
          ...(more > 0 ? [`and ${more} more`] : []),
        ].join('\n'),
      ),
      ...paragraph([
        undecided > 0 ? `${undecided} waiting for approval.` : null,
        unknown > 0 ? `${unknown} with an unknown outcome: the money may be gone already.` : null,
        undecided + unknown > 0 ? 'See `/proxy requests`.' : null,
      ]),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

function waitingLine(purchase: Purchase): string {
  const what = `${purchase.kind === 'buy' ? '' : 'renew '}${contentShort(purchase)}`;
  return `${what} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
}

/** To the approver who froze. */
export function freezeText({ reason }: Pick<Freeze, 'reason'>): DrawnMessage {
  return says(
    `*Spending is frozen*: ${literal(reason, 1_500)}\nNothing is sent until \`/proxy unfreeze\`. What is being sent at this moment is finished.`,
  );
}

/** To the approver who unfroze. @param was the freeze that ended */
export function unfreezeText(was: Freeze): DrawnMessage {
  return says(
    `*Spending is no longer frozen.* It was frozen by ${person(was.by)} since ${when(was.at)}. What is approved and not too old is sent now.`,
  );
}

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
): DrawnMessage {
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
      ...andMore(purchases.length),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

/** In a list of requests. */
export function requestLines(purchase: Purchase, now: number): string {
  const what = `${purchase.kind === 'buy' ? 'Buy' : 'Renew'} ${contentShort(purchase)}`;
  const until = deadline(purchase);
  return [
    `*${what}* for ${person(purchase.requester)}: ${stateWord(purchase.state)}`,
    `Asked ${ago(purchase.createdAt, now)}${until} · request ${literal(purchase.id, 60)}`,
  ].join('\n');
}

/** For whoever may decide or settle it. */
export function decidingButtons(purchase: Purchase): readonly Block[] {
  return purchase.state === 'unknown' ? settleButtons(purchase) : decisionButtons(purchase);
}

function deadline({ state, expiresAt, sendBy }: Purchase): string {
  if (state === 'requested') return `, open until ${when(expiresAt)}`;
  if (state === 'approved' && sendBy !== null) return `, sent by ${when(sendBy)} or not at all`;
  return state === 'unknown' ? ', an approver has to settle it' : '';
}

function andMore(count: number) {
  return count > SHOWN ? [context(`and ${count - SHOWN} more`)] : [];
}
