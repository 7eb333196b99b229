import { rowsOf, versionOf } from './model/batch.ts';
import { keptOf } from './model/entries.ts';
import { type Audience, type Notice, type NoticeKind, reportOfCsv } from './model/outbox.ts';
import type { Policy } from './model/policy.ts';
import { digestOf, policyDigest } from './model/policy-digest.ts';
import type { Purchase } from './model/purchase.ts';
import type { Surroundings, TwoPeople } from './model/surroundings.ts';
import type { MonthlyReporting } from './monthly-reporting.ts';
import type { Alerts } from './ports/alerts.ts';
import { type Clock, within } from './ports/clock.ts';
import type { Directory } from './ports/directory.ts';
import type { Endings } from './ports/endings.ts';
import type { About, Ledger, LedgerReads } from './ports/ledger.ts';
import type { Log } from './ports/log.ts';
import type { Message, Messenger, Recipient, Sent, Undelivered } from './ports/messenger.ts';
import { type Outbox, type Place, placeOf } from './ports/outbox.ts';
import type { Purchasing } from './purchasing.ts';
import type { ReportFiles } from './report-files.ts';
import { costsNow, ordersRenewed } from './requests.ts';
import { isOnASide } from './rules/decisions.ts';
import {
  afterTrouble,
  isBatch,
  isMissed,
  isOpen,
  isOver,
  isStillSaid,
  owedWhereUnsaid,
  type Subject,
  tellsWhoIsLeft,
  waitsForDecision,
} from './rules/delivery.ts';

export type DrawNotice = (notice: Notice, about: About, surroundings: Surroundings) => Message;

export interface DeliveryDeps {
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly endings: Pick<Endings, 'rowsOf'>;
  readonly alerts: Pick<Alerts, 'told'>;
  readonly reporting: Pick<MonthlyReporting, 'report'>;
  readonly reportFiles: Pick<ReportFiles, 'deliver'>;
  readonly messenger: Messenger;
  readonly directory: Directory;
  readonly policy: () => Policy;
  readonly clock: Clock;
  readonly log: Log;
  readonly draw: DrawNotice;
  readonly purchasing: Pick<Purchasing, 'balance' | 'othersWhoApprove' | 'twoPeople'>;
}

const AT_ONCE = 10;

/** A vendor that hangs must not keep a card from those who decide. */
const BALANCE_WITHIN_MS = 2_000;

/** Longer than a post mostly takes, so that nobody else posts it too; short, since after a crash it waits for so long. */
const LEASE_MS = 20_000;

/** Begun later, a post could end after the lease. */
const BEGIN_WITHIN_MS = 12_000;

/** What goes under a card that is not posted yet, or has just been found deleted, waits for so long. */
const CARD_AGAIN_AFTER_MS = 2_000;

/** For what Slack has taken and the ledger not yet. */
const RECORD_AGAIN_AFTER_MS = 500;

/** Where no approver can be read, or none is there who may settle: asked again so often. */
const APPROVERS_AGAIN_AFTER_MS = 60_000;

/**
 * What is open is looked after this often: approvers who have come since get what was split among those before them, and what was
 * last drawn longer ago is drawn again. That keeps the age on a card true, and finds out that somebody has deleted it.
 */
const LOOK_EVERY_MS = 60_000;
const REDRAW_AFTER_MS = 3_600_000;

/** Posts the messages that are owed, and keeps what was posted up to date with the ledger. */
export class Delivery {
  readonly #deps: DeliveryDeps;
  #lookedAt: number;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#lookedAt = deps.clock.monotonic();
  }

  /** One pass over the outbox. @returns whether there was anything. */
  async deliver(): Promise<boolean> {
    const { outbox, clock } = this.#deps;
    const began = clock.monotonic();
    if (began - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = began;
      await outbox.redrawOpen(REDRAW_AFTER_MS);
    }
    const notices = await outbox.leaseNotices(AT_ONCE, LEASE_MS);
    // Those of one purchase go out in their order, others side by side.
    const queues = Map.groupBy(notices, (notice) => notice.purchaseId ?? notice.batchId ?? keyOfQueue(notice));
    await Promise.all(
      Array.from(queues.values(), async (queue) => {
        for (const notice of queue.toSorted(unknownCardFirst)) {
          // Begun later, it could end after the lease, and lie over what another has drawn since: it is leased anew.
          if (clock.monotonic() - began > BEGIN_WITHIN_MS) return;
          await this.#deliver(notice);
        }
      }),
    );
    return notices.length > 0;
  }

  async #deliver(notice: Notice): Promise<void> {
    const { ledger, outbox, policy, draw } = this.#deps;
    const about = await aboutOf(ledger, notice);
    const subject = subjectOf(about);
    if (notice.ts === null && notice.audience === 'approvers' && policy().approvals.mode === 'off')
      return this.#split(notice, about);
    if (notice.audience === 'thread' && !isStillSaid(notice, subject, policy()))
      return this.#leaveUnsaid(notice, about);
    try {
      if (notice.kind === 'report_csv') return await this.#deps.reportFiles.deliver(notice);
      const to = await this.#placeOrRecipient(notice, subject);
      if (to === undefined) return this.#waitForCard(notice);
      const around = await this.#surroundings(notice, about);
      if (isOver(notice, around)) return await outbox.noticeFailed(notice.id, 'nothing of it holds any more', null);
      const message = draw(notice, about, around);
      const shown = digestOf(message);
      // Edited into what it is already, it would only be called edited.
      const sent = 'ts' in to && notice.shown === shown ? { place: to } : await this.#send(to, message);
      const isLast = notice.audience === 'thread' || notice.kind === 'answer' || notice.kind === 'report';
      if ('place' in sent) {
        const beside = around.twoPeople !== null;
        await this.#recordShown(notice, sent.place, isLast ? null : versionOf(subject), beside, shown);
      } else await this.#failed(notice, subject, sent);
    } catch (error) {
      const why = error instanceof Error ? error.name : 'no answer';
      await this.#failed(notice, subject, { kind: 'unreachable', why }, error);
    }
  }

  async #leaveUnsaid(notice: Notice, about: About): Promise<void> {
    const { outbox } = this.#deps;
    const talk = about === null ? [] : 'purchase' in about ? about.entries : about.talk;
    for (const other of owedWhereUnsaid(notice, talk)) await outbox.owe(other, notice.purchaseId, notice.batchId);
    return outbox.noticeFailed(notice.id, 'no longer worth saying', null);
  }

  /** What is said under a card follows it. */
  async #waitForCard(notice: Notice): Promise<void> {
    const { ledger, outbox } = this.#deps;
    await outbox.noticeFailed(notice.id, 'its card is not posted', (await ledger.now()) + CARD_AGAIN_AFTER_MS);
  }

  #send(to: Place | Recipient, message: Message): Promise<Sent> {
    const { messenger } = this.#deps;
    return 'ts' in to ? messenger.edit(to, message) : messenger.post(to, message);
  }

  /** Where it stands, or to whom it goes; undefined where the card is not posted under which it is to be said. */
  async #placeOrRecipient(notice: Notice, subject: Subject): Promise<Place | Recipient | undefined> {
    const place = placeOf(notice);
    if (place) return place;
    const { key, kind, audience } = notice;
    const { approvals } = this.#deps.policy();
    if (audience === 'thread') {
      const places = subject === null ? [] : await this.#deps.outbox.placesOf(subject.id);
      const isCard = ({ kind: of }: Notice) => of === 'card' || of === 'batch_card';
      const card = placeOf(places.findLast((place) => isCard(place) && place.audience === 'approvers'));
      if (!card) return undefined;
      // In the channel as well: a nudge mentions nobody.
      return { channel: card.channel, thread: { ts: card.ts, broadcast: kind === 'nudge' } };
    }
    if (audience === 'approvers') {
      if (approvals.mode === 'off') throw new Error('there is no approvals channel');
      return { channel: approvals.channel };
    }
    const user = audience === 'requester' ? subject?.requester : audience.slice('user:'.length);
    if (!user) throw new Error(`nobody to tell: ${key}`);
    return { user };
  }

  /** It stands in Slack: a database in trouble is asked again as long as the lease holds, or it would be posted a second time. */
  async #recordShown(
    notice: Notice,
    place: Place,
    version: number | null,
    beside: boolean,
    shown: string,
  ): Promise<void> {
    const { outbox, clock, log } = this.#deps;
    for (const until = clock.monotonic() + LEASE_MS / 2; ; ) {
      try {
        await outbox.noticeShown(notice, place, version, beside, shown);
        return;
      } catch (err) {
        log.warn({ notice: notice.key, err }, 'what was posted could not be written down yet');
        if (clock.monotonic() > until) throw err;
        await clock.sleep(RECORD_AGAIN_AFTER_MS);
      }
    }
  }

  async #surroundings(notice: Notice, about: About): Promise<Surroundings> {
    const { ledger, policy, clock, purchasing, outbox, endings, alerts, reporting, messenger } = this.#deps;
    const subject = subjectOf(about);
    const purchase = isBatch(subject) ? null : subject;
    const waits = waitsForDecision(subject) ? subject : null;
    const isCard = notice.kind === 'card' || notice.kind === 'batch_card';
    const renewed = purchase?.kind === 'renew' ? purchase.orderId : null;
    const waiting = isCard ? rowsOf(waits).filter(isRequested) : [];
    const deciding = notice.kind === 'batch_card' ? waiting : [];
    const [freeze, balance, order, orders, costs, othersWhoApprove, twoPeople, places, reminder, change, report] =
      await Promise.all([
        ledger.freeze(),
        waits && isCard ? within(clock, BALANCE_WITHIN_MS, purchasing.balance('card'), null) : null,
        renewed === null ? null : ledger.order(renewed),
        ordersRenewed(ledger, deciding),
        costsNow(ledger, waiting),
        subject && tellsWhoIsLeft(notice, subject) ? purchasing.othersWhoApprove(subject, keptByOf(about)) : undefined,
        waits ? this.#twoPeople(waits) : null,
        subject ? outbox.placesOf(subject.id) : [],
        notice.kind === 'ending' ? endings.rowsOf(notice.text ?? '') : [],
        notice.kind === 'fall' || notice.kind === 'top_up' ? alerts.told(Number(notice.text)) : undefined,
        notice.kind === 'report' ? reporting.report(notice) : null,
      ]);
    const inForce = policy();
    const { access, approvals, contact = null } = inForce;
    const groups =
      notice.kind === 'escalation' && approvals.mode === 'channel' ? (approvals.escalation?.to ?? []) : access.approve;
    const mention = notice.ts === null ? groups : [];
    const linkTo = (kind: NoticeKind, audience: Audience) => {
      const place = placeOf(places.findLast((of) => of.kind === kind && of.audience === audience));
      return place && messenger.link(place);
    };
    const links = {
      receipt: linkTo(isBatch(subject) ? 'batch_status' : 'status', 'requester'),
      unknownCard: linkTo('unknown_card', 'approvers'),
    };
    const cardsIn = approvals.mode === 'channel' ? approvals.channel : null;
    const now = clock.now();
    return {
      freeze,
      now,
      mention,
      balance,
      order,
      orders,
      costs,
      reminder,
      change: change ?? null,
      report,
      othersWhoApprove,
      twoPeople,
      contact,
      links,
      cardsIn,
      policy: policyDigest(inForce),
    };
  }

  /** Of a batch: as soon as one of its rows needs them. */
  async #twoPeople(waits: NonNullable<Subject>): Promise<TwoPeople | null> {
    for (const row of rowsOf(waits).filter(isRequested)) {
      const needed = await this.#deps.purchasing.twoPeople(row);
      if (needed) return needed;
    }
    return null;
  }

  /** Without an approvals channel, each approver gets it by direct message: also who becomes one while it is open. */
  async #split(notice: Notice, about: About): Promise<void> {
    const { ledger, outbox, directory } = this.#deps;
    const subject = subjectOf(about);
    const [approvers, freeze] = await Promise.all([directory.approvers(), ledger.freeze()]);
    const open = isOpen(notice, subject, freeze);
    // A card that reaches nobody who may settle it would be settled by nobody, ever.
    const asked = notice.kind === 'unknown_card' && open ? subject : null;
    const keptBy = keptByOf(about);
    if (approvers?.some((who) => asked === null || !isOnASide(asked, keptBy, who))) {
      const users = approvers.map(({ user }) => user);
      return outbox.noticeSplit(notice, users, { open, version: versionOf(subject) });
    }
    const why = approvers ? 'there is nobody else who approves' : 'the approvers could not be read';
    return outbox.noticeFailed(notice.id, why, (await ledger.now()) + APPROVERS_AGAIN_AFTER_MS);
  }

  async #failed(notice: Notice, subject: Subject, trouble: Undelivered, err?: unknown): Promise<void> {
    const { ledger, outbox, log } = this.#deps;
    const about = { purchase: notice.purchaseId, notice: notice.key };
    log.warn({ ...about, ...trouble, ...(err === undefined ? {} : { err }) }, 'a message could not be delivered');
    if (trouble.kind === 'gone' && isMissed(notice, subject)) return outbox.noticeLost(notice);
    const { owed, retryAfterMs } = afterTrouble(notice, subject, trouble);
    for (const other of owed) await outbox.owe(other, notice.purchaseId, notice.batchId);
    const retryAt = retryAfterMs === null ? null : (await ledger.now()) + retryAfterMs;
    return outbox.noticeFailed(notice.id, trouble.why, retryAt);
  }
}

async function aboutOf(ledger: LedgerReads, { purchaseId, batchId }: Notice): Promise<About> {
  if (purchaseId !== null) return (await ledger.record(purchaseId)) ?? null;
  return batchId === null ? null : ((await ledger.batch(batchId)) ?? null);
}

function subjectOf(about: About): Subject {
  return about && 'purchase' in about ? about.purchase : about;
}

/** As {@link ChangeFacts.keptBy}. */
function keptByOf(about: About): string | null {
  return about && 'purchase' in about ? (keptOf(about)?.by ?? null) : null;
}

/** A CSV goes after its report. */
function keyOfQueue(notice: Notice): string {
  return notice.kind === 'report_csv' ? reportOfCsv(notice) : notice.key;
}

function isRequested({ state }: Purchase): boolean {
  return state === 'requested';
}

/** The other messages of a purchase link to the card of its unknown outcome. */
function unknownCardFirst(a: Notice, b: Notice): number {
  return Number(b.kind === 'unknown_card') - Number(a.kind === 'unknown_card');
}
