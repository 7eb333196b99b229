import type { types } from '@slack/bolt';
import type { BalanceReading } from '../src/purchasing/model/balance-reading.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { isRefusal, type Refusal } from '../src/purchasing/model/refusals.ts';
import type { Twin } from '../src/purchasing/model/twin.ts';
import type { Review } from '../src/purchasing/rules/filing.ts';
import { balanceNow, freezeLine } from './amounts.ts';
import { type Block, modal, paragraph, section } from './blocks.ts';
import { ACTION, BLOCK } from './ids.ts';
import { tick } from './inputs.ts';
import { groups } from './people.ts';
import { completedTwin, refusalSentence } from './sentences.ts';

export type Reviewed = Review | Refusal;

export interface ReviewContext {
  readonly balance: BalanceReading | null;
  readonly freeze: Freeze | null;
  /** The same, completed in the last 24 hours: the tick is asked for. */
  readonly twin: Twin | null;
  readonly now: number;
  /** Approvals are off and the bot has never seen the order: the tick is asked for. */
  readonly neverSeen?: boolean;
  /** What no longer held when the last review was submitted. */
  readonly changed?: Refusal | undefined;
  /** The user groups of `access.approve`. */
  readonly approvers?: readonly string[];
}

/** The frame that both reviews share; `content` says exactly what will be sent. */
export function reviewView(
  parts: { readonly callback: string; readonly draftId: string; readonly now: 'Buy now' | 'Renew now' },
  content: readonly Block[],
  reviewed: Reviewed,
  context: ReviewContext,
): types.ModalView {
  const changed = context.changed
    ? [section(`*Nothing was filed.* ${refusalSentence(context.changed, context.now)}`)]
    : [];
  const frame = { callback: parts.callback, draftId: parts.draftId, title: 'Review', close: 'Back' };
  if (isRefusal(reviewed)) {
    const no = section(`*This cannot be filed.* ${refusalSentence(reviewed, context.now)}`);
    return modal({
      ...frame,
      blocks: [...(context.changed?.refused === reviewed.refused ? [] : changed), no, ...content],
    });
  }
  return modal({
    ...frame,
    submit: reviewed.needsApproval ? 'Ask for approval' : parts.now,
    blocks: [
      ...changed,
      ...content,
      ...paragraph([
        reviewed.needsApproval
          ? approvalNeeded(context)
          : `*No approval needed.* “${parts.now}” sends it to the vendor at once, and real money is spent.`,
        `Balance: ${balanceNow(context.balance, 'not read yet')}`,
      ]),
      ...paragraph([freezeLine(context.freeze)]),
      ...ticks(context),
    ],
  });
}

export const NOBODY_ELSE =
  '*Nobody else can approve it at present*: the groups that approve have no other usable member, and nobody approves their own request. Tell whoever runs Proxy Desk.';

function approvalNeeded({ approvers = [] }: ReviewContext): string {
  const who = groups(approvers);
  const decides = who === '' ? 'An approver other than you decides' : `Anyone of ${who} other than you decides`;
  return `*Needs approval.* ${decides}; no money is spent before.`;
}

function ticks({ twin, neverSeen, now }: ReviewContext): readonly Block[] {
  return [
    ...(twin
      ? [
          section(`${completedTwin(twin, now)} Filing this pays again.`),
          tick(BLOCK.separate, ACTION.separate, 'Asked for once more', 'This is a new, separate purchase'),
        ]
      : []),
    ...(neverSeen ? [tick(BLOCK.neverSeen, ACTION.neverSeen, 'Never seen by this bot', 'I know this order')] : []),
  ];
}
