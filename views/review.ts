import type { types } from '@slack/bolt';
import { plural } from '../src/plural.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import type { ExpectedCost } from '../src/purchasing/model/cost.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { formatDollars, isPositive, type Money } from '../src/purchasing/model/money.ts';
import type { Approvals } from '../src/purchasing/model/policy.ts';
import type { Content, State } from '../src/purchasing/model/purchase.ts';
import { inCents } from '../src/purchasing/model/quotient.ts';
import { isRefusal, type Refusal } from '../src/purchasing/model/refusals.ts';
import type { Review } from '../src/purchasing/rules/filing.ts';
import { type Block, modal, paragraph, section } from './blocks.ts';
import { costOfAll, costOfAllText, leftText } from './cost.ts';
import { reasonBlock } from './facts.ts';
import { balanceNow, type Described, deed, freezeLine, groups, ips, when } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { tick } from './inputs.ts';
import { completedTwin, notFiledSentence, type Reader, refusalSentence } from './sentences.ts';

/** What a review shows beside what is asked for. */
export interface ReviewSurroundings extends Reader {
  readonly balance: BalanceReading | null;
  readonly freeze: Freeze | null;
  /** What no longer held when the last review was submitted. */
  readonly changed: Refusal | undefined;
  readonly reason: string;
  /** The user groups of `access.approve`. */
  readonly approvers: readonly string[];
  readonly approvals: Approvals;
  /** The view's `external_id`, by which it is updated once the balance is read. */
  readonly externalId: string;
}

interface ReviewParts {
  readonly callback: string;
  readonly draftId: string;
  readonly content: Content;
  readonly now: 'Buy now' | 'Renew now';
  /** Exactly what will be sent. */
  readonly what: readonly Block[];
  readonly smallPrint: Block;
}

/** The frame that both reviews share. */
export function reviewView(
  parts: ReviewParts,
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { changed, freeze, reason } = surroundings;
  const outdated = changed ? [section(notFiledSentence(changed, surroundings))] : [];
  const { callback, draftId, what, smallPrint } = parts;
  const frame = { callback, draftId, title: 'Review', close: 'Back', externalId: surroundings.externalId };
  if (isRefusal(found)) {
    const no = section(`*This cannot be filed.* ${refusalSentence(found, surroundings)}`);
    return modal({
      ...frame,
      blocks: [...(changed?.refused === found.refused ? [] : outdated), no, ...what, reasonBlock(reason)],
    });
  }
  return modal({
    ...frame,
    submit: found.needsApproval ? 'Ask for approval' : parts.now,
    blocks: [
      ...outdated,
      ...what,
      reasonBlock(reason),
      ...paragraph([needsLine(parts, found, surroundings), moneyLine(surroundings.balance, [found.cost])]),
      ...paragraph([freezeLine(freeze)]),
      ...ticks(found, surroundings),
      smallPrint,
    ],
  });
}

/** `Cost: about $48.00 at prices observed … · about $952.00 would be left`, and under it the balance. */
export function moneyLine(balance: BalanceReading | null, costs: readonly ExpectedCost[]): string {
  return `Cost: ${costOfAllText(costs)}${leftText(balance, costOfAll(costs))}\nBalance: ${balanceNow(balance)}`;
}

/** What happens on submitting: who has to decide and why, or that it is sent. */
function needsLine({ now, content }: ReviewParts, found: Review, surroundings: ReviewSurroundings): string {
  const { freeze, approvals } = surroundings;
  if (found.twoPeople && approvals.mode === 'channel')
    return `*Needs approval by two people*${whyTwo(found, approvals)} ${whoDecides(surroundings, 'Two')} No money is spent before.`;
  if (found.needsApproval)
    return `*Needs approval*${whyApproval(content, found, surroundings)} ${whoDecides(surroundings)} No money is spent before.`;
  if (freeze)
    return `*No approval needed*, but spending is frozen: it is sent once that ends, or expires ${minutes(approvals.sendWithinMs)} after you press “${now}”.`;
  return `*No approval needed.* “${now}” sends it to the vendor at once, and real money is spent.`;
}

/** The end of the sentence “Needs approval”, in the order in which `peopleNeeded` decides. */
function whyApproval(content: Content, found: Review, { approvals, now }: ReviewSurroundings): string {
  if (approvals.mode === 'off') return '.';
  if (content.kind === 'renew' && approvals.renewalsNeedApproval) return ': renewals do.';
  if (found.quantity === null) return ': how many IPs the order has is not known.';
  const { freeUpTo, freeUpToDollars } = approvals;
  if (found.mayBeOver)
    return `: there are limits in dollars, and ${found.cost.known ? 'of something that counts towards them' : 'for this'} no price is observed yet.`;
  if (freeUpTo === 0) return ': every purchase does.';
  const enough = freeUpTo === null || found.counted + found.quantity <= freeUpTo;
  if (enough) return freeUpToDollars === null ? '.' : whyDollars(found, freeUpToDollars);
  const left = Math.max(0, freeUpTo - found.counted);
  const since = `${found.counted} counted since ${when(now - DAY_MS)}`;
  if (left === 0) return `: your free allowance of ${ips(freeUpTo)} a day is used (${since}).`;
  const used = found.counted === 0 ? '' : ` (${since})`;
  return `: ${found.counted === 0 ? `${ips(freeUpTo)} a day are free` : `${left} of your ${freeUpTo} free IPs a day are left`}${used}.`;
}

function whyDollars({ cost, countedDollars }: Review, free: Money): string {
  if (!cost.known || (countedDollars?.unpriced ?? 0) > 0)
    return `: ${formatDollars(free)} a day are free, and ${cost.known ? 'of something that you have asked for' : 'for this'} no price is observed yet.`;
  const used = countedDollars ? inCents(countedDollars.amount) : null;
  return `: ${formatDollars(free)} a day are free${used !== null && isPositive(used) ? `, of which about ${formatDollars(used)} are used, as observed` : ''}.`;
}

type Channel = Extract<Approvals, { mode: 'channel' }>;

function whyTwo(
  { quantity, cost, twoPeopleFor }: Review,
  { twoPeopleAbove: above, twoPeopleAboveDollars }: Channel,
): string {
  if (twoPeopleFor === 'dollars' && twoPeopleAboveDollars !== null)
    return cost.known
      ? `: more than ${formatDollars(twoPeopleAboveDollars)} within 24 hours do.`
      : `: more than ${formatDollars(twoPeopleAboveDollars)} do, and for this no price is observed yet.`;
  if (quantity === null) return ': how many IPs the order has is not known.';
  return above === 0 ? ': every purchase does.' : `: more than ${ips(above)} on one plan within 24 hours do.`;
}

/** The free allowance looks back so far. */
const DAY_MS = 24 * 60 * 60 * 1_000;

function minutes(ms: number): string {
  return plural(Math.max(1, Math.round(ms / 60_000)), 'minute');
}

export function whoDecides({ approvers }: Pick<ReviewSurroundings, 'approvers'>, how = 'Anyone'): string {
  const who = groups(approvers);
  if (who !== '') return `${how} of ${who} other than you ${how === 'Two' ? 'decide' : 'decides'}.`;
  return how === 'Two' ? 'Two approvers other than you decide.' : 'An approver other than you decides.';
}

function ticks({ twin, unseen, needsApproval }: Review, reader: Reader): readonly Block[] {
  const paidTwice = needsApproval ? 'If approved, it is paid a second time.' : 'It is paid a second time.';
  return [
    ...(twin
      ? [
          section(`⚠️ ${completedTwin(twin, reader)} ${paidTwice}`),
          tick(BLOCK.separate, ACTION.separate, 'Asked for once more', 'This is a new, separate purchase'),
        ]
      : []),
    ...(unseen ? [tick(BLOCK.neverSeen, ACTION.neverSeen, 'Never seen by this bot', 'I know this order')] : []),
  ];
}

/** After filing: the last view. The rest is told by direct message. */
export function filedView(filed: Described & { readonly state: State }, freeze: Freeze | null): types.ModalView {
  return modal({
    callback: CALLBACK.plain,
    title: 'Filed',
    clearOnClose: true,
    blocks: [
      ...paragraph([
        `*Filed: ${deed(filed)}.*`,
        filed.state === 'requested' ? 'It waits for approval. No money is spent before.' : null,
        filed.state === 'approved' && freeze === null ? 'It is on its way to the vendor.' : null,
        'What becomes of it is told to you by direct message. You can close this.',
      ]),
      ...paragraph([freezeLine(freeze)]),
    ],
  });
}
