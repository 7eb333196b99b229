import type { types } from '@slack/bolt';
import type { BalanceReading } from '../src/purchasing/model/balance-reading.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import type { State } from '../src/purchasing/model/purchase.ts';
import { isRefusal, type Refusal } from '../src/purchasing/model/refusals.ts';
import type { Review } from '../src/purchasing/rules/filing.ts';
import { type Block, modal, paragraph, section } from './blocks.ts';
import { balanceNow, type Described, deed, freezeLine, groups } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { tick } from './inputs.ts';
import { completedTwin, refusalSentence, stateWord } from './sentences.ts';

/** What a review shows beside what is asked for. */
export interface ReviewSurroundings {
  readonly balance: BalanceReading | null;
  readonly freeze: Freeze | null;
  readonly now: number;
  /** What no longer held when the last review was submitted. */
  readonly changed: Refusal | undefined;
  /** The user groups of `access.approve`. */
  readonly approvers: readonly string[];
}

/** The frame that both reviews share; `content` says exactly what will be sent. */
export function reviewView(
  parts: { readonly callback: string; readonly draftId: string; readonly now: 'Buy now' | 'Renew now' },
  content: readonly Block[],
  found: Review | Refusal,
  surroundings: ReviewSurroundings,
): types.ModalView {
  const { now } = surroundings;
  const changed = surroundings.changed
    ? [section(`*Nothing was filed.* ${refusalSentence(surroundings.changed, now)}`)]
    : [];
  const frame = { callback: parts.callback, draftId: parts.draftId, title: 'Review', close: 'Back' };
  if (isRefusal(found)) {
    const no = section(`*This cannot be filed.* ${refusalSentence(found, now)}`);
    return modal({
      ...frame,
      blocks: [...(surroundings.changed?.refused === found.refused ? [] : changed), no, ...content],
    });
  }
  return modal({
    ...frame,
    submit: found.needsApproval ? 'Ask for approval' : parts.now,
    blocks: [
      ...changed,
      ...content,
      ...paragraph([
        found.needsApproval
          ? approvalNeeded(surroundings)
          : `*No approval needed.* “${parts.now}” sends it to the vendor at once, and real money is spent.`,
        `Balance: ${balanceNow(surroundings.balance, 'not read yet')}`,
      ]),
      ...paragraph([freezeLine(surroundings.freeze)]),
      ...ticks(found, now),
    ],
  });
}

export const NOBODY_ELSE =
  '*Nobody else can approve it at present*: the groups that approve have no other usable member, and nobody approves their own request. Tell whoever runs Proxy Desk.';

function approvalNeeded({ approvers }: ReviewSurroundings): string {
  const who = groups(approvers);
  const decides = who === '' ? 'An approver other than you decides' : `Anyone of ${who} other than you decides`;
  return `*Needs approval.* ${decides}; no money is spent before.`;
}

function ticks({ twin, unseen }: Review, now: number): readonly Block[] {
  return [
    ...(twin
      ? [
          section(`${completedTwin(twin, now)} Filing this pays again.`),
          tick(BLOCK.separate, ACTION.separate, 'Asked for once more', 'This is a new, separate purchase'),
        ]
      : []),
    ...(unseen ? [tick(BLOCK.neverSeen, ACTION.neverSeen, 'Never seen by this bot', 'I know this order')] : []),
  ];
}

/** After filing: the last view. The rest is told by direct message. */
export function filedView(filed: Described & { readonly state: State }, freeze: Freeze | null): types.ModalView {
  const waits = filed.state === 'requested';
  return modal({
    callback: CALLBACK.plain,
    title: 'Filed',
    clearOnClose: true,
    blocks: [
      ...paragraph([
        `*Filed: ${deed(filed)}.* It is ${stateWord(filed.state)}.`,
        waits ? 'No money is spent before it is approved.' : null,
        'What happens next is told to you by direct message. You can close this.',
      ]),
      ...paragraph([freezeLine(freeze)]),
    ],
  });
}
