import { plural } from '../../plural.ts';
import type { Movement } from '../model/account.ts';
import type { Told, ToldChange, ToldFacts, ToldMovement, WatchChange, WatchFacts } from '../model/alerts.ts';
import type { ClickedMessage } from '../model/click.ts';
import { THE_BOT } from '../model/entries.ts';
import { compare, difference, formatDollars, type Money, times, toCents } from '../model/money.ts';
import { alert, movementNotice, type NewNotice, type Notice } from '../model/outbox.ts';
import type { BalancePolicy, Policy } from '../model/policy.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import { countedOnce } from './clicks.ts';
import { freezeNow } from './freezing.ts';
import { judge } from './movements.ts';
import type { Clicker } from './rights.ts';
import { daysLeft, isPace, type Pace } from './runway.ts';

const DAY_MS = 86_400_000;

/** A week of readings is the least for a warning: what a team buys on its first days, it does not buy on all that follow. */
const WATCHED_AT_LEAST_MS = 7 * DAY_MS;

/** Told again only when the balance was above by so much meanwhile: a twentieth of the amount, or a day. */
const ABOVE_BY = { part: 20n, days: 1 } as const;

/** What the balance has done is told: each change once, when nothing that is open can explain it any more; and that it is low, once. */
export function decideAlerts(facts: WatchFacts, policy: BalancePolicy): WatchChange | null {
  const { settled, unexplained, judgedUpTo } = judge(facts.movements, facts.judgedUpTo);
  const isNews = ({ seq }: Movement) => !facts.toldOf.has(seq);
  const falls = unexplained.filter(isNews);
  const topUps = settled.filter((movement) => movement.kind === 'top_up' && isNews(movement));
  const warned = warn(facts, policy);
  const notices = [
    ...falls.map(({ seq }) => movementNotice('fall', seq)),
    ...topUps.map(({ seq }) => movementNotice('top_up', seq)),
    ...warned.notices,
  ];
  const sameTold = warned.told.low === facts.told.low && warned.told.short === facts.told.short;
  if (notices.length === 0 && judgedUpTo === facts.judgedUpTo && sameTold) return null;
  return { judgedUpTo, told: warned.told, notices, freeze: freezeFor(falls, facts, policy) };
}

function freezeFor(
  falls: readonly Movement[],
  { now, freeze }: WatchFacts,
  { freezeOnUnexplainedAbove: above }: BalancePolicy,
): WatchChange['freeze'] {
  const fall = falls.find((each) => above !== null && compare(amountOf(each), above) > 0);
  if (!fall) return null;
  const facts = { now, freeze, deliveredBefore: null };
  const { to, notice } = freezeNow(facts, THE_BOT, reasonOf(fall), `fall ${fall.seq}`);
  return to && notice ? { to, notice } : null;
}

/** What has left. */
export function amountOf({ before, after }: Movement): Money {
  return difference(before, after);
}

/** Why spending was frozen for it: to be read by anybody, wherever they are. */
function reasonOf(fall: Movement): string {
  return `${formatDollars(amountOf(fall))} left the account between ${minute(fall.from)} and ${minute(fall.to)}, and nothing that Proxy Desk sent explains it`;
}

function warn(
  facts: WatchFacts,
  policy: BalancePolicy,
): { readonly told: Told; readonly notices: readonly NewNotice[] } {
  const { latest, told, spent, underWay } = facts;
  if (latest === null || underWay) return { told, notices: [] };
  const { seq, at, balance } = latest;
  const low = lowAgain(told.low, balance, policy.warnBelow, seq);
  const days = spent.overMs >= WATCHED_AT_LEAST_MS ? daysLeft(balance, spent) : null;
  const short = isPace(spent) ? shortAgain(told.short, days, policy.warnDays, seq) : told.short;
  const read = `The balance was ${formatDollars(balance)} on ${minute(at)}`;
  const lowNow = told.low === null && low !== null && policy.warnBelow !== null;
  const shortNow = told.short === null && short !== null && policy.warnDays !== null;
  return {
    told: { low, short },
    notices: [
      ...(lowNow
        ? [alert(`low:${seq}`, `${read}: less than ${formatDollars(policy.warnBelow)} (balance.warn_below).`)]
        : []),
      ...(shortNow
        ? [
            alert(
              `short:${seq}`,
              `${read}: enough for about ${plural(days ?? 0, 'day')}, fewer than ${policy.warnDays} (balance.warn_days). ${paceText(spent)}`,
            ),
          ]
        : []),
    ],
  };
}

function lowAgain(told: number | null, balance: Money, below: Money | null, seq: number): number | null {
  if (below === null) return null;
  if (compare(balance, below) < 0) return told ?? seq;
  const margin = compare(times(balance, ABOVE_BY.part), times(below, ABOVE_BY.part + 1n));
  return margin >= 0 ? null : told;
}

/** @param days null where no end is in sight */
function shortAgain(told: number | null, days: number | null, fewer: number | null, seq: number): number | null {
  if (fewer === null) return null;
  if (days !== null && days < fewer) return told ?? seq;
  return days === null || days >= fewer + ABOVE_BY.days ? null : told;
}

function paceText({ spent, overMs }: Pace): string {
  const days = Math.round(overMs / DAY_MS);
  return `Observed: ${formatDollars(toCents(spent, 1n))} left the account in the last ${days} days, and this counts on as much.`;
}

/** `2026-01-31 14:03 UTC` */
function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export type Said = ToldMovement | Refusal;

/** Somebody knows where the money went: said once. */
export function decideKnowing(facts: ToldFacts, by: Clicker, note: string): ToldChange<Said> {
  const { told, now } = facts;
  return once(facts, by, () => {
    const { known } = told.movement;
    if (known) return { result: { refused: 'fall_known', by: known.by } };
    const entry = { by: by.user, detail: { kind: 'fall_known', note } } as const;
    return { result: { ...told, known: { by: by.user, at: now, note } }, entry };
  });
}

/** Somebody freezes spending, with the fall as the reason. */
export function decideFreezingFor(facts: ToldFacts, by: Clicker): ToldChange<Said> {
  const { told, now, freeze } = facts;
  return once(facts, by, () => {
    const { movement } = told;
    const occasion = `fall ${movement.seq} by ${by.user} at ${now}`;
    const frozen = freezeNow({ now, freeze, deliveredBefore: null }, by.user, reasonOf(movement), occasion);
    if (isRefusal(frozen.result)) return { result: frozen.result };
    return {
      result: told,
      ...(frozen.to && frozen.notice ? { freeze: { to: frozen.to, notice: frozen.notice } } : {}),
    };
  });
}

/** A refused click is written down too. */
export function refuseFall({ deliveredBefore }: ToldFacts, by: string, no: Refusal): ToldChange<Refusal> {
  return countedOnce<ToldChange<Refusal>>(deliveredBefore, no, () => refusedEntry(by, no));
}

function refusedEntry(by: string, no: Refusal): ToldChange<Refusal> {
  const detail = { kind: 'refused', action: 'look into a fall', refused: no.refused } as const;
  return { result: no, entry: { by, detail } };
}

/** A click counts once: delivered again it changes nothing, and is told how things stand. */
function once(
  { told, deliveredBefore }: ToldFacts,
  { user, allowed }: Clicker,
  decide: () => ToldChange<Said>,
): ToldChange<Said> {
  return countedOnce<ToldChange<Said>>(deliveredBefore, told, () => {
    const change = isRefusal(allowed) ? { result: allowed } : decide();
    return isRefusal(change.result) ? refusedEntry(user, change.result) : change;
  });
}

/**
 * Whether a click was made where it does not count: it does on a message of this fall. A message whose posting was not confirmed is not
 * known; it counts in the approvals channel, or, where there is none, in direct messages.
 * @param notice what the bot posted there; undefined where the ledger knows of nothing
 */
export function isElsewhere(
  seq: number,
  { channel, isPrivateAnswer }: ClickedMessage,
  notice: Pick<Notice, 'kind' | 'text'> | undefined,
  { approvals }: Policy,
): boolean {
  if (isPrivateAnswer) return true;
  if (notice) return notice.kind !== 'fall' || notice.text !== String(seq);
  return approvals.mode === 'channel' ? channel !== approvals.channel : !channel.startsWith('D');
}
