import type { types } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { alert, type Notice } from '../purchasing/model/outbox.ts';
import type { Policy } from '../purchasing/model/policy.ts';
import type { Surroundings } from '../purchasing/model/surroundings.ts';
import type { Clock } from '../purchasing/ports/clock.ts';
import type { Directory } from '../purchasing/ports/directory.ts';
import type { Ledger, PurchaseRecord } from '../purchasing/ports/ledger.ts';
import type { Log } from '../purchasing/ports/log.ts';
import type { Outbox, Place } from '../purchasing/ports/outbox.ts';
import type { Purchasing } from '../purchasing/purchasing.ts';
import { isRequester } from '../purchasing/rules/decisions.ts';
import { within } from '../purchasing/within.ts';
import { directChannel } from './direct.ts';
import { troubleOf } from './errors.ts';

export interface Message {
  readonly text: string;
  readonly blocks?: readonly types.KnownBlock[];
}

export type RenderNotice = (notice: Notice, record: PurchaseRecord | null, surroundings: Surroundings) => Message;

export interface NotifierDeps {
  /** Without retries of its own: a repeated post is a second message. */
  readonly client: WebClient;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly directory: Directory;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Log;
  readonly render: RenderNotice;
  readonly purchasing: Pick<Purchasing, 'balance' | 'someoneElseApproves'>;
}

const AT_ONCE = 10;

/** A vendor that hangs must not keep a card from those who decide. */
const BALANCE_WITHIN_MS = 2_000;

/** Longer than a post mostly takes, so that nobody else posts it too; short, since after a crash it waits for so long. */
const LEASE_MS = 20_000;

/** Begun later, a post could end after the lease. */
const BEGIN_WITHIN_MS = 12_000;

/** 2 s, 4 s, 8 s … 5 min: an outage of Slack must not become a storm at its end. */
const RETRY_FIRST_MS = 2_000;
const RETRY_AT_MOST_MS = 300_000;

/** For what Slack has taken and the ledger not yet. */
const RECORD_AGAIN_AFTER_MS = 500;

/** An archived channel, a missing scope, a refused token: a person mends it, and the message follows soon. 1, 2, 4 … 10 min. */
const MENDED_FIRST_MS = 60_000;
const MENDED_AT_MOST_MS = 600_000;

/** What nobody can mend: a deleted message, a person who is gone. New news goes out as new messages. */
const GONE_FOR_GOOD = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'user_not_found',
  'user_disabled',
  'cannot_dm_bot',
]);

/** What is owed, to the person who is owed it; and what was posted, kept up to date from the ledger. */
export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #directChannels = new Map<string, string>();

  constructor(deps: NotifierDeps) {
    this.#deps = deps;
  }

  /** One pass over the outbox. @returns whether there was anything. */
  async deliver(): Promise<boolean> {
    const { outbox, clock } = this.#deps;
    const began = clock.monotonic();
    const notices = await outbox.claimNotices(AT_ONCE, LEASE_MS);
    // Those of one purchase go out in their order, others side by side.
    const queues = Map.groupBy(notices, (notice) => notice.purchaseId ?? notice.key);
    await Promise.all(
      Array.from(queues.values(), async (queue) => {
        for (const notice of queue) {
          // Begun later, it could end after the lease, and lie over what another has drawn since: it is claimed anew.
          if (clock.monotonic() - began > BEGIN_WITHIN_MS) return;
          await this.#deliver(notice);
        }
      }),
    );
    return notices.length > 0;
  }

  async #deliver(notice: Notice): Promise<void> {
    const { ledger, policy } = this.#deps;
    if (notice.audience === 'approvers' && policy.approvals.mode === 'off') {
      await this.#split(notice);
      return;
    }
    const record = notice.purchaseId === null ? null : ((await ledger.record(notice.purchaseId)) ?? null);
    try {
      const message = this.#deps.render(notice, record, await this.#surroundings(notice, record));
      const place = notice.channel && notice.ts ? { channel: notice.channel, ts: notice.ts } : undefined;
      const shown = place ? await this.#edit(place, message) : await this.#post(notice, record, message);
      await this.#recordShown(notice, shown, record?.purchase.version ?? 0);
    } catch (error) {
      await this.#failed(notice, record, error);
    }
  }

  /** It stands in Slack: a database in trouble is asked again as long as the claim holds, or it would be posted a second time. */
  async #recordShown(notice: Notice, shown: Place, version: number): Promise<void> {
    const { outbox, clock, log } = this.#deps;
    for (const until = clock.monotonic() + LEASE_MS / 2; ; ) {
      try {
        await outbox.noticeShown(notice, shown, version);
        return;
      } catch (err) {
        log.warn({ notice: notice.key, err }, 'what was posted could not be written down yet');
        if (clock.monotonic() > until) throw err;
        await clock.sleep(RECORD_AGAIN_AFTER_MS);
      }
    }
  }

  async #surroundings(notice: Notice, record: PurchaseRecord | null): Promise<Surroundings> {
    const { ledger, policy, clock, purchasing } = this.#deps;
    const waits = record?.purchase.state === 'requested' ? record.purchase : undefined;
    const renewed = record?.purchase.kind === 'renew' ? record.purchase.orderId : null;
    const [freeze, balance, order, someoneElse] = await Promise.all([
      ledger.freeze(),
      waits && notice.kind === 'card' ? within(clock, BALANCE_WITHIN_MS, purchasing.balance(), null) : null,
      renewed === null ? null : ledger.order(renewed),
      waits && notice.kind === 'status' ? purchasing.someoneElseApproves(waits) : undefined,
    ]);
    const mention = notice.ts === null ? policy.access.approve : [];
    return { freeze, now: clock.now(), mention, balance, order, someoneElse };
  }

  async #post(notice: Notice, record: PurchaseRecord | null, message: Message): Promise<Place> {
    const channel = await this.#target(notice, record);
    const posted = await this.#deps.client.chat.postMessage({ channel, ...payload(message) });
    if (!posted.ts) throw new Error('chat.postMessage gave no ts');
    return { channel: posted.channel ?? channel, ts: posted.ts };
  }

  async #edit(place: Place, message: Message): Promise<Place> {
    // Without blocks an edit would leave the old ones, with their buttons.
    await this.#deps.client.chat.update({ ...place, text: message.text, blocks: [...(message.blocks ?? [])] });
    return place;
  }

  async #target(notice: Notice, record: PurchaseRecord | null): Promise<string> {
    const { approvals } = this.#deps.policy;
    if (notice.audience === 'approvers') {
      if (approvals.mode === 'off') throw new Error('there is no approvals channel');
      return approvals.channel;
    }
    const user = notice.audience === 'requester' ? record?.purchase.requester : notice.audience.slice('user:'.length);
    if (!user) throw new Error(`nobody to tell: ${notice.key}`);
    const known = this.#directChannels.get(user);
    if (known) return known;
    const channel = await directChannel(this.#deps.client, user);
    this.#directChannels.set(user, channel);
    return channel;
  }

  async #split(notice: Notice): Promise<void> {
    const { ledger, outbox, directory, clock } = this.#deps;
    const approvers = await directory.approvers();
    // Nobody settles their own purchase: a card that reaches its requester alone would be settled by nobody, ever.
    const asker =
      notice.kind === 'unknown_card' && notice.purchaseId !== null ? await ledger.record(notice.purchaseId) : undefined;
    if (approvers?.some(({ ids }) => !asker || !isRequester(asker.purchase, { ids })))
      await outbox.noticeSplit(
        notice,
        approvers.map(({ user }) => user),
      );
    else
      await outbox.noticeFailed(
        notice.id,
        approvers ? 'there is nobody else who approves' : 'the approvers could not be read',
        clock.now() + MENDED_FIRST_MS,
      );
  }

  async #failed(notice: Notice, record: PurchaseRecord | null, error: unknown): Promise<void> {
    const { ledger, outbox, log } = this.#deps;
    const trouble = troubleOf(error);
    log.warn({ purchase: notice.purchaseId, notice: notice.key, ...trouble }, 'a message could not be delivered');
    const now = await ledger.now();
    switch (trouble.kind) {
      case 'rate_limited':
        return outbox.noticeFailed(notice.id, 'rate limited', now + trouble.retryAfterSeconds * 1000);
      case 'unreachable': {
        const wait = Math.min(RETRY_FIRST_MS * 2 ** notice.attempts, RETRY_AT_MOST_MS);
        return outbox.noticeFailed(notice.id, trouble.why, now + wait);
      }
      case 'refused':
        return this.#refused(notice, record, trouble.code, now);
      default:
        return trouble satisfies never;
    }
  }

  /** Slack will not take it as things are: whoever waits for it hears of it another way, and it goes out once that is mended. */
  async #refused(notice: Notice, record: PurchaseRecord | null, code: string, now: number): Promise<void> {
    const { outbox } = this.#deps;
    const unposted = notice.ts === null;
    // The person cannot be written to: those who approve can pass it on. What they were to pass on is not passed on again.
    if (unposted && notice.kind === 'outcome' && notice.audience === 'requester')
      await outbox.owe({ ...notice, key: `${notice.key}:passed on`, audience: 'approvers' }, notice.purchaseId);
    if (unposted && notice.kind === 'card' && notice.audience === 'approvers' && record)
      await outbox.owe(
        { ...alert(`card of ${record.purchase.id}`, cardUnposted(record.purchase.id, code)), audience: 'requester' },
        record.purchase.id,
      );
    const wait = Math.min(MENDED_FIRST_MS * 2 ** notice.attempts, MENDED_AT_MOST_MS);
    return outbox.noticeFailed(notice.id, code, GONE_FOR_GOOD.has(code) ? null : now + wait);
  }
}

function cardUnposted(id: string, code: string): string {
  return (
    `The request ${id} could not be posted in the approvals channel (${code}), so nobody can approve it yet. No money has moved. ` +
    'Ask an admin to look at the channel: the card is posted as soon as that works. You can withdraw the request meanwhile.'
  );
}

function payload(message: Message) {
  return {
    text: message.text,
    ...(message.blocks && { blocks: [...message.blocks] }),
    unfurl_links: false,
    unfurl_media: false,
  };
}
