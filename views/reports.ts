import type { Request } from '../src/purchasing/model/batch.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import { keptDueText } from '../src/purchasing/rules/keeping.ts';
import { decisionButtons } from './approval.ts';
import { batchDecidingBlocks, batchLines } from './batch.ts';
import { type Block, context, type DrawnMessage, fitting, paragraph, says, section } from './blocks.ts';
import { ago, contentShort, freezeLine, person, when } from './format.ts';
import { stateWord } from './sentences.ts';
import { literal } from './text.ts';
import { settleButtons } from './unknown.ts';

const USAGE = [
  '`/proxy balance`: the balance, how long it may be enough, and what waits to be sent',
  '`/proxy spend [this month | last month | 90d | 2026-11] [by person | plan | country]`: where the money went',
  '`/proxy buy` or `/proxy buy US 10, DE 5`: buy proxies',
  '`/proxy baskets`: rename or remove what the team has saved to buy again',
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

/** To the approver who froze. */
export function freezeText({ reason }: Pick<Freeze, 'reason'>): DrawnMessage {
  return says(
    `*Spending is frozen*: ${literal(reason, 1_500)}\nNothing is sent until \`/proxy unfreeze\`. What is being sent at this moment is finished.`,
  );
}

/** To the approver who unfroze. @param was the freeze that ended @param keptDue orders that file their renewal now, since they are kept */
export function unfreezeText(was: Freeze, keptDue: number): DrawnMessage {
  const kept = keptDueText(was, keptDue);
  const due = kept ? `\n*${kept.due}*${kept.terms} See \`/proxy requests\`.` : '';
  return says(
    `*Spending is no longer frozen.* It was frozen by ${person(was.by)} since ${when(was.at)}. What is approved and not too old is sent now.${due}`,
  );
}

const SHOWN = 20;

/**
 * What is waiting, being sent or unknown; oldest first.
 * @param theirs the ids of what the reader may decide or settle
 */
export function requestsMessage(
  requests: readonly Request[],
  now: number,
  freeze: Freeze | null,
  theirs: ReadonlySet<string> = new Set(),
): DrawnMessage {
  const text =
    requests.length === 0
      ? 'No request is open.'
      : `${requests.length === 1 ? '1 request is' : `${requests.length} requests are`} open.`;
  const shown = fitting(
    requests.map((request) => [section(requestLines(request, now)), ...decidingBlocks(request, theirs)]),
    SHOWN,
  );
  return {
    text,
    blocks: [
      section(`*${text}*`),
      ...shown.flat(),
      ...(requests.length > shown.length ? [context(`and ${requests.length - shown.length} more`)] : []),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

/** In a list of requests. */
export function requestLines(request: Request, now: number): string {
  return 'rows' in request ? batchLines(request, now) : purchaseLines(request, now);
}

function purchaseLines(purchase: Purchase, now: number): string {
  const what = `${purchase.kind === 'buy' ? 'Buy' : 'Renew'} ${contentShort(purchase)}`;
  const until = deadline(purchase);
  return [
    `*${what}* for ${person(purchase.requester)}: ${stateWord(purchase.state)}`,
    ...firstYesLine(purchase),
    `Asked ${ago(purchase.createdAt, now)}${until} · request ${literal(purchase.id, 60)}`,
  ].join('\n');
}

/** Of two who have to approve it. */
function firstYesLine({ state, firstApprover }: Purchase): readonly string[] {
  return state === 'requested' && firstApprover !== null
    ? [`${person(firstApprover)} said yes; one more person has to`]
    : [];
}

/** For whoever may decide or settle it. @param theirs the ids of the purchases that they may */
export function decidingBlocks(request: Request, theirs: ReadonlySet<string>): readonly Block[] {
  if ('rows' in request) return batchDecidingBlocks(request, theirs);
  if (!theirs.has(request.id)) return [];
  return request.state === 'unknown' ? settleButtons(request) : decisionButtons(request);
}

function deadline({ state, expiresAt, sendBy }: Purchase): string {
  if (state === 'requested') return `, open until ${when(expiresAt)}`;
  if (state === 'approved' && sendBy !== null) return `, sent by ${when(sendBy)} or not at all`;
  return state === 'unknown' ? ', an approver has to settle it' : '';
}
