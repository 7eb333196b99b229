import type { Notice } from '../src/purchasing/model/outbox.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { approvalCard } from './approval/card.ts';
import type { Message } from './blocks.ts';
import { alertMessage, frozenMessage, unfrozenMessage } from './reports/freeze.ts';
import { outcomeMessage, passedOnMessage } from './status/outcome.ts';
import { statusMessage } from './status/status.ts';
import { unknownCard } from './unknown/card.ts';

/**
 * The message that a notice owes, drawn from the ledger as it is now. Groups are mentioned when it is posted for the first
 * time, never when it is edited.
 * @param record null for what is about no purchase
 */
export function renderNotice(notice: Notice, record: PurchaseRecord | null, surroundings: Surroundings): Message {
  const mention = notice.ts === null && notice.audience === 'approvers' ? surroundings.mention : [];
  const { text, by } = notice;
  switch (notice.kind) {
    case 'card':
      return approvalCard(known(notice, record), { ...surroundings, mention });
    case 'status':
      return statusMessage(known(notice, record), surroundings);
    case 'outcome': {
      const of = known(notice, record);
      return notice.audience === 'requester'
        ? outcomeMessage(of, notice.about ?? of.purchase.state, surroundings)
        : passedOnMessage(of, surroundings);
    }
    case 'unknown_card':
      return unknownCard(known(notice, record), { ...surroundings, mention });
    case 'frozen':
      return frozenMessage({ text, by, mention });
    case 'unfrozen':
      return unfrozenMessage({ text, by, mention: [] });
    case 'alert':
      return alertMessage({ text, by, mention });
    default:
      return notice.kind satisfies never;
  }
}

function known(notice: Notice, record: PurchaseRecord | null): PurchaseRecord {
  if (record === null) throw new Error(`notice ${notice.id} (${notice.kind}) is about a purchase, and got none`);
  return record;
}
