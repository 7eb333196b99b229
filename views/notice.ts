import type { BatchRecord } from '../src/purchasing/model/batch.ts';
import { THE_BOT } from '../src/purchasing/model/entries.ts';
import type { Notice } from '../src/purchasing/model/outbox.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { About, PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { approvalCard } from './approval.ts';
import { batchCard, batchOutcome, batchStatus, passedOnBatch } from './batch.ts';
import { type DrawnMessage, says } from './blocks.ts';
import { notKeptMessage, reminderMessage } from './end-reminder.ts';
import { fallMessage, topUpMessage } from './fall.ts';
import { groups, person } from './format.ts';
import { reportMessage } from './monthly-report.ts';
import { outcomeMessage, passedOnMessage, statusMessage } from './status.ts';
import {
  answerInThread,
  answerMessage,
  nudgeMessage,
  questionInThread,
  questionMessage,
  undecidedMessage,
} from './talk.ts';
import { literal } from './text.ts';
import { unknownCard } from './unknown.ts';

/**
 * The message that a notice owes, drawn from the ledger as it is now. Groups are mentioned when it is posted for the first
 * time, never when it is edited.
 * @param about null for what is about no purchase
 */
export function renderNotice(notice: Notice, about: About, surroundings: Surroundings): DrawnMessage {
  const mention = notice.ts === null && notice.audience === 'approvers' ? surroundings.mention : [];
  const { text, by } = notice;
  switch (notice.kind) {
    case 'card':
      return approvalCard(known(notice, about), { ...surroundings, mention });
    case 'status':
      return statusMessage(known(notice, about), surroundings);
    case 'outcome': {
      const of = known(notice, about);
      return notice.audience === 'requester'
        ? outcomeMessage(of, notice.about ?? of.purchase.state, surroundings)
        : passedOnMessage(of, surroundings);
    }
    case 'unknown_card':
      return unknownCard(known(notice, about), { ...surroundings, mention });
    case 'batch_card':
      return batchCard(knownBatch(notice, about), { ...surroundings, mention });
    case 'batch_status':
      return batchStatus(knownBatch(notice, about), surroundings);
    case 'batch_outcome': {
      const of = knownBatch(notice, about);
      return notice.audience === 'requester'
        ? batchOutcome(of, notice.about, surroundings)
        : passedOnBatch(of, surroundings);
    }
    case 'reminder':
    case 'escalation':
      return undecidedMessage(either(notice, about), surroundings, notice.kind);
    case 'nudge':
      return nudgeMessage(either(notice, about), by);
    case 'question':
      return notice.audience === 'requester'
        ? questionMessage(either(notice, about), text)
        : questionInThread(either(notice, about), text);
    case 'answer':
      return notice.audience === 'thread'
        ? answerInThread(either(notice, about), text)
        : answerMessage(either(notice, about), text);
    case 'frozen':
      return frozenMessage({ text, by, mention });
    case 'unfrozen':
      return unfrozenMessage({ text, by, mention: [] });
    case 'ending':
      return reminderMessage(notice, surroundings);
    case 'not_kept':
      return notKeptMessage({ text, by });
    case 'fall':
      return fallMessage(notice, { ...surroundings, mention });
    case 'top_up':
      return topUpMessage(notice, surroundings);
    case 'report':
      return reportMessage(surroundings);
    case 'report_csv':
      throw new Error('a CSV is no message');
    case 'alert':
      return alertMessage({ text, by, mention });
    default:
      return notice.kind satisfies never;
  }
}

function known(notice: Notice, about: About): PurchaseRecord {
  if (about === null || !('purchase' in about))
    throw new Error(`notice ${notice.id} (${notice.kind}) is about a purchase, and got none`);
  return about;
}

function knownBatch(notice: Notice, about: About): BatchRecord {
  if (about === null || !('rows' in about))
    throw new Error(`notice ${notice.id} (${notice.kind}) is about a batch, and got none`);
  return about;
}

function either(notice: Notice, about: About): PurchaseRecord | BatchRecord {
  if (about === null) throw new Error(`notice ${notice.id} (${notice.kind}) is about a request, and got none`);
  return about;
}

interface Announcement {
  readonly text: string | null;
  readonly by: string | null;
  readonly mention: readonly string[];
}

function frozenMessage({ text, by, mention }: Announcement): DrawnMessage {
  const who = by === null || by === THE_BOT ? 'Proxy Desk itself' : person(by);
  const what = `Spending was frozen by ${who}: ${literal(text ?? '', 1_500)}`;
  const next =
    by === THE_BOT
      ? "Nothing is sent until an approver has looked at it and runs `/proxy unfreeze`. It is nobody's fault who asked for something."
      : 'Nothing is sent until an approver runs `/proxy unfreeze`.';
  return { text: what, blocks: says(withMention(mention, `*${what}*`, next)).blocks };
}

function unfrozenMessage({ by, mention }: Announcement): DrawnMessage {
  const what = `Spending is no longer frozen${by === null ? '' : `, by ${person(by)}`}.`;
  return {
    text: what,
    blocks: says(withMention(mention, `*${what}*`, 'What is approved and not too old is sent now.')).blocks,
  };
}

/** Something that those who run the bot must look at. */
function alertMessage({ text, mention }: Announcement): DrawnMessage {
  const what = literal(text ?? '', 2_000);
  return { text: what, blocks: says(withMention(mention, `*Please look at this*: ${what}`)).blocks };
}

function withMention(mention: readonly string[], ...sentences: readonly string[]): string {
  return [groups(mention), ...sentences].filter((line) => line !== '').join('\n');
}
