import type { LocalVendor } from '../../../sandbox/vendor-api/index.ts';
import { disagreements, type LedgerLine, postsOf, SENT } from '../../support/books.ts';
import { LEAD, LEAD2, LEAD3, type Site } from '../../support/site.ts';
import { cardsOf, directsOf, textOf } from '../../support/site-steps.ts';
import type { VendorFault } from './outcome-table.ts';
import { type Clicks, REASON } from './people.ts';
import type { Plan } from './plan.ts';

/** A line of `ledger show ID --json`, as far as it is looked at. */
export interface Shown extends LedgerLine {
  readonly reason: string;
  readonly entries: readonly ShownEntry[];
}

interface ShownEntry {
  /** Rises over all purchases. */
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Of a filing: by whose word, and before which end. */
  readonly evidence?: { readonly kept?: { readonly by: string; readonly endsAt: number } };
}

/** What must hold of a purchase at rest, seen from outside: in the vendor's log, by the ledger's command, in Slack. */
const FINAL: ReadonlySet<string> = new Set(['completed', 'declined', 'unknown', 'rejected', 'withdrawn']);

/** A POST starts within 5 s of the commit of `sending`. The vendor, which shares its process with the campaign, may read it late. */
const STARTS_WITHIN_MS = 5_000;
const READ_WITHIN_MS = 3_000;

const APPROVERS = [LEAD, LEAD2, LEAD3];

export function underWay(lines: readonly LedgerLine[]): readonly string[] {
  return lines.filter(({ state }) => !FINAL.has(state)).map(({ id, state }) => `${id} is still ${state}`);
}

/** @param asked how many purchases people, and orders that are kept, have asked for */
export async function auditBooks(
  site: Site,
  plan: Plan,
  asked: number,
  clicks: Clicks,
): Promise<{ readonly violations: readonly string[]; readonly shown: readonly Shown[] }> {
  const lines = (await site.ledgerCommand('list', '--json'))
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as LedgerLine);
  const shown = await Promise.all(
    lines.map(async ({ id }) => JSON.parse(await site.ledgerCommand('show', id, '--json')) as Shown),
  );
  const violations = [
    ...(lines.length === asked ? [] : [`${asked} were asked for, and the ledger has ${lines.length}`]),
    ...disagreements(lines, site.vendor),
    ...shown.flatMap((line) => auditPurchase(line, site.vendor, clicks)),
    ...strayRenewals(lines, site.vendor),
    ...auditOutcomes(shown, site.vendor, plan),
  ];
  return { violations, shown };
}

function auditPurchase(line: Shown, vendor: LocalVendor, clicks: Clicks): readonly string[] {
  const found: string[] = [];
  const posts = requestsOf(line, vendor);
  const [first] = posts;
  if (posts.length > 1) found.push(`${line.id} was sent ${posts.length} times`);
  if (line.reason !== REASON && !keptOf(line))
    found.push(`${line.id} has another reason than was typed: ${line.reason}`);
  found.push(...underWay([line]));
  if (posts.length > 0 && !SENT.has(line.state)) found.push(`${line.id} is ${line.state}, and was sent`);
  const click = clicks.get(line.id);
  if (first && (click === undefined || first.at < click)) found.push(`${line.id} was sent before anybody approved it`);
  const approved = line.entries.findIndex(({ to }) => to === 'approved');
  const entered = line.entries.findIndex(({ to }) => to === 'sending');
  const by = line.entries[approved]?.by;
  found.push(...posts.flatMap(({ at }) => untimely(line, at)));
  if (first && (approved < 0 || entered < approved)) found.push(`${line.id} was sent, and its entries do not say why`);
  if (by !== undefined && (by === line.requester || !APPROVERS.includes(by)))
    found.push(`${line.id} was approved by ${by}`);
  const moves = line.entries.filter(({ to }) => to !== null);
  const broken = moves.find(({ from }, index) => from !== (moves[index - 1]?.to ?? null));
  if (broken) found.push(`${line.id}: the entry ${broken.from} -> ${broken.to} follows from none`);
  if (moves.at(-1)?.to !== line.state)
    found.push(`${line.id} is ${line.state}, and its entries say ${moves.at(-1)?.to}`);
  const renewals = line.kind === 'renew' ? renewalsOf(vendor, line.orderId) : 0;
  if (line.kind === 'renew' && line.state === 'completed' && renewals !== 1)
    found.push(`${line.id} is completed, and the vendor has renewed ${renewals} times`);
  if (line.state === 'declined' && renewals > 0) found.push(`${line.id} is declined, and the vendor has renewed`);
  return found;
}

/** By whose word the order has filed it by itself. */
export function keptOf({ entries }: Pick<Shown, 'entries'>) {
  return entries.find(({ from, to }) => from === null && to !== null)?.evidence?.kept;
}

/** What it was before a person settled it; otherwise what it is. */
function stateByItself({ state, entries }: Shown): string {
  return entries.some(({ from }) => from === 'unknown') ? 'unknown' : state;
}

/** What is wrong with the time of a POST: it leaves after its `sending` is committed, and soon, or not at all. */
export function untimely({ id, entries }: Pick<Shown, 'id' | 'entries'>, postedAt: number): readonly string[] {
  const entered = entries.findLast(({ to }) => to === 'sending');
  if (!entered) return [`${id} was sent, and has no entry of sending`];
  const after = postedAt - Date.parse(entered.at);
  if (after < 0) return [`${id} was sent ${-after} ms before its sending was committed`];
  return after > STARTS_WITHIN_MS + READ_WITHIN_MS
    ? [`${id} was sent ${after} ms after its sending was committed`]
    : [];
}

/** The answer that came proves one thing; only what happened to our own process may turn it into "unknown". */
function auditOutcomes(lines: readonly Shown[], vendor: LocalVendor, plan: Plan): readonly string[] {
  const posts = vendor.requests.filter(({ raw }) => raw.startsWith('POST '));
  return lines.flatMap((line) => {
    const [post] = requestsOf(line, vendor);
    if (!post?.played) return [];
    const fault = faultOf(plan, posts.indexOf(post), post.played, line.kind);
    const state = stateByItself(line);
    if (!fault || fault.proves === state) return [];
    if (state === 'unknown' && plan.strike.kind !== 'nothing') return [];
    return [`${line.id} is ${state}, and "${fault.name}" proves ${fault.proves}`];
  });
}

/** Buying and renewing have queues of their own at the vendor: each gets the fault of its own place. */
export function faultOf(plan: Plan, nth: number, played: string, kind: LedgerLine['kind']): VendorFault | undefined {
  const own = plan.wanted.length === 2 && plan.wanted[1]?.kind === 'renew';
  const fault = own ? plan.vendor[kind === 'renew' ? 1 : 0] : plan.vendor[nth];
  return fault?.plays.name === played ? fault : undefined;
}

/**
 * Of what was asked for by itself.
 * @param settled what a person has settled since: its card, and one more piece of news, stand beside
 * @returns what Slack does not show yet of what it must; and how many messages stand there twice.
 */
export function auditSlack(
  site: Site,
  lines: readonly LedgerLine[],
  settled: ReadonlySet<string> = new Set(),
): { readonly missing: readonly string[]; readonly twice: number } {
  const missing: string[] = [];
  let twice = 0;
  for (const line of lines.filter(({ batch }) => batch === null)) {
    const more = settled.has(line.id) ? 1 : 0;
    const word = line.state === 'completed' ? /bought|renewed/i : new RegExp(line.state, 'i');
    for (const [what, messages, wanted] of [
      ['cards', cardsOf(site, line.id), (line.state === 'unknown' ? 2 : 1) + more],
      ['direct messages', directsOf(site, line.id, line.requester), 2],
    ] as const) {
      const agreeing = messages.filter((message) => word.test(textOf(site, message))).length;
      if (agreeing < wanted) missing.push(`${line.id} is ${line.state}, and ${agreeing} of ${wanted} ${what} say so`);
      twice += Math.max(0, messages.length - wanted - (what === 'cards' ? 0 : more));
    }
  }
  return { missing, twice };
}

function requestsOf(line: LedgerLine, vendor: LocalVendor) {
  if (line.kind === 'renew') return vendor.requests.filter(({ raw }) => renews(raw, line.orderId));
  return vendor.requests.filter((request) => postsOf({ ...vendor, requests: [request] }, line) === 1);
}

function strayRenewals(lines: readonly LedgerLine[], vendor: LocalVendor): readonly string[] {
  return vendor.requests
    .filter(({ raw, complete }) => complete && isRenewal(raw))
    .filter(({ raw }) => !lines.some(({ kind, orderId }) => kind === 'renew' && renews(raw, orderId)))
    .map(() => 'another order was renewed');
}

function isRenewal(raw: string): boolean {
  return raw.startsWith('POST ') && raw.includes('/orders/renew ');
}

function renews(raw: string, orderId: string | null): boolean {
  return isRenewal(raw) && raw.includes(`"order_id":${orderId},`);
}

export function renewalsOf(vendor: LocalVendor, orderId: string | null): number {
  return vendor.orders.find(({ id }) => id === orderId)?.renewals ?? 0;
}
