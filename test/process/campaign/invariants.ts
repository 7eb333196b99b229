import type { LocalVendor } from '../../../sandbox/vendor-api/index.ts';
import { disagreements, type LedgerLine, postsOf } from '../../support/books.ts';
import { LEAD, LEAD2, LEAD3, type Site } from '../../support/site.ts';
import { textOf } from '../../support/site-steps.ts';
import type { VendorFault } from './outcome-table.ts';
import { type Clicks, type Errand, isOf, REASON, shownOf } from './people.ts';
import { ORDER_TO_RENEW, type Plan } from './plan.ts';

/** A line of `ledger show ID --json`, as far as it is looked at. */
interface Shown extends LedgerLine {
  readonly reason: string;
  readonly entries: readonly ShownEntry[];
}

interface ShownEntry {
  readonly at: string;
  readonly by: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What must hold of a purchase at rest, seen from outside: in the vendor's log, by the ledger's command, in Slack. */
export const FINAL: ReadonlySet<string> = new Set(['completed', 'declined', 'unknown', 'rejected']);

/** A POST starts within 5 s of the commit of `sending`. The vendor, which shares its process with the campaign, may read it late. */
const STARTS_WITHIN_MS = 5_000;
const READ_WITHIN_MS = 3_000;

const APPROVERS = [LEAD, LEAD2, LEAD3];

export async function auditBooks(
  site: Site,
  plan: Plan,
  errands: readonly Errand[],
  clicks: Clicks,
): Promise<readonly string[]> {
  const lines = (await site.ledgerCommand('list', '--json'))
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as LedgerLine);
  const shown = await Promise.all(
    lines.map(async ({ id }) => JSON.parse(await site.ledgerCommand('show', id, '--json')) as Shown),
  );
  return [
    ...(lines.length === errands.length
      ? []
      : [`${errands.length} were asked for, and the ledger has ${lines.length}`]),
    ...disagreements(lines, site.vendor),
    ...shown.flatMap((line) => auditPurchase(line, site.vendor, clicks)),
    ...strayRenewals(site.vendor),
    ...auditOutcomes(lines, site.vendor, plan),
  ];
}

function auditPurchase(line: Shown, vendor: LocalVendor, clicks: Clicks): readonly string[] {
  const found: string[] = [];
  const posts = requestsOf(line, vendor);
  const [first] = posts;
  if (posts.length > 1) found.push(`${line.id} was sent ${posts.length} times`);
  if (line.reason !== REASON) found.push(`${line.id} has another reason than was typed: ${line.reason}`);
  if (!FINAL.has(line.state)) found.push(`${line.id} is still ${line.state}`);
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
  if (line.kind === 'renew' && line.state === 'completed' && renewals(vendor) !== 1)
    found.push(`${line.id} is completed, and the vendor has renewed ${renewals(vendor)} times`);
  if (line.kind === 'renew' && line.state === 'declined' && renewals(vendor) > 0)
    found.push(`${line.id} is declined, and the vendor has renewed`);
  return found;
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
function auditOutcomes(lines: readonly LedgerLine[], vendor: LocalVendor, plan: Plan): readonly string[] {
  const posts = vendor.requests.filter(({ raw }) => raw.startsWith('POST '));
  return lines.flatMap((line) => {
    const [post] = requestsOf(line, vendor);
    if (!post?.played) return [];
    const fault = faultOf(plan, posts.indexOf(post), post.played, line.kind);
    if (!fault || fault.proves === line.state) return [];
    if (line.state === 'unknown' && plan.strike.kind !== 'nothing') return [];
    return [`${line.id} is ${line.state}, and "${fault.name}" proves ${fault.proves}`];
  });
}

/** Buying and renewing have queues of their own at the vendor: each gets the fault of its own place. */
export function faultOf(plan: Plan, nth: number, played: string, kind: LedgerLine['kind']): VendorFault | undefined {
  const own = plan.wanted.length === 2 && plan.wanted[1]?.kind === 'renew';
  const fault = own ? plan.vendor[kind === 'renew' ? 1 : 0] : plan.vendor[nth];
  return fault?.plays.name === played ? fault : undefined;
}

/** @returns what Slack does not show yet of what it must; and how many messages stand there twice. */
export function auditSlack(
  site: Site,
  lines: readonly LedgerLine[],
  errands: readonly Errand[],
): { readonly missing: readonly string[]; readonly twice: number } {
  const missing: string[] = [];
  let twice = 0;
  for (const line of lines) {
    const errand = errands.find((each) => isOf(each, line));
    if (!errand) continue;
    const { cards, directs } = shownOf(site, line.id, errand.buyer);
    const word = line.state === 'completed' ? /bought|renewed/i : new RegExp(line.state, 'i');
    for (const [what, messages, wanted] of [
      ['cards', cards, line.state === 'unknown' ? 2 : 1],
      ['direct messages', directs, 2],
    ] as const) {
      const agreeing = messages.filter((message) => word.test(textOf(site, message))).length;
      if (agreeing < wanted) missing.push(`${line.id} is ${line.state}, and ${agreeing} of ${wanted} ${what} say so`);
      twice += Math.max(0, messages.length - wanted);
    }
  }
  return { missing, twice };
}

function requestsOf(line: LedgerLine, vendor: LocalVendor) {
  if (line.kind === 'renew') return vendor.requests.filter(({ raw }) => isRenewal(raw) && raw.includes(ORDER_TO_RENEW));
  return vendor.requests.filter((request) => postsOf({ ...vendor, requests: [request] }, line) === 1);
}

function strayRenewals(vendor: LocalVendor): readonly string[] {
  return vendor.requests
    .filter(({ raw, complete }) => complete && isRenewal(raw) && !raw.includes(`"order_id":${ORDER_TO_RENEW},`))
    .map(() => 'another order was renewed');
}

function isRenewal(raw: string): boolean {
  return raw.startsWith('POST ') && raw.includes('/orders/renew ');
}

function renewals(vendor: LocalVendor): number {
  return vendor.orders.find(({ id }) => id === ORDER_TO_RENEW)?.renewals ?? 0;
}
