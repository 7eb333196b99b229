import type { LedgerLine } from '../../support/books.ts';
import { SENT } from '../../support/books.ts';
import { BUYER, type Site } from '../../support/site.ts';
import { cardsOf, directsOf, textOf } from '../../support/site-steps.ts';
import { keptOf, type Shown } from './invariants.ts';
import type { Renewals } from './plan.ts';
import { saidOf } from './renewals.ts';

// What must hold of renewals that were asked for together, of orders that are kept, and of reminders.

export function auditRenewals(shown: readonly Shown[], { together, kept }: Renewals): readonly string[] {
  const batches = [...Map.groupBy(shown, ({ batch }) => batch)].filter(([batch]) => batch !== null);
  return [
    ...(batches.length > 1 ? [`one submit has filed ${batches.length} batches`] : []),
    ...batches.flatMap(([batch, rows]) => auditBatch(`${batch}`, rows, together)),
    ...auditKept(shown, kept),
  ];
}

function auditBatch(batch: string, rows: readonly Shown[], together: Renewals['together']): readonly string[] {
  const orders = rows.map(({ orderId }) => `${orderId}`);
  const isWhole = orders.length === together.orders.length && together.orders.every((order) => orders.includes(order));
  return [
    ...(isWhole ? [] : [`${batch} holds ${orders.join()}`]),
    ...rows
      .filter(({ requester }) => requester !== together.by)
      .map(({ id, requester }) => `${id} of ${batch} is ${requester}'s`),
    ...auditDecision(batch, rows, together),
    ...rows.flatMap((row) => sentWhileHeld(row, rows)),
  ];
}

/** All rows are decided by one person, and each as that person has said. */
function auditDecision(
  batch: string,
  rows: readonly Shown[],
  { by, decision, struck }: Renewals['together'],
): readonly string[] {
  const found: string[] = [];
  const deciders = new Set<string>();
  for (const row of rows) {
    const decided = row.entries.find(({ from }) => from === 'requested');
    if (!decided) continue;
    deciders.add(decided.by);
    if (decided.by === by) found.push(`${row.id} of ${batch} was ${decided.to} by its requester`);
    const said = saidOf(decision).find(({ lead }) => lead === decided.by)?.says;
    const isStruck = said === 'yes but one' && row.orderId === struck;
    const wanted = said === 'no' || isStruck ? 'rejected' : 'approved';
    if (said === undefined) found.push(`${row.id} of ${batch} was ${decided.to} by ${decided.by}, who said nothing`);
    else if (decided.to !== wanted)
      found.push(`${row.id}, ${isStruck ? 'struck out' : wanted} by ${decided.by}, was ${decided.to}`);
    if (isStruck && SENT.has(row.state)) found.push(`${row.id} was struck out by ${decided.by}, and sent`);
  }
  if (deciders.size > 1) found.push(`${batch} was decided by ${[...deciders].join(' and ')}`);
  return found;
}

/** It began to be sent while the outcome of another row was unknown. */
function sentWhileHeld(row: Shown, rows: readonly Shown[]): readonly string[] {
  const starts = row.entries.filter(({ to }) => to === 'sending');
  return rows.flatMap(({ id, entries }) => {
    const unknown = entries.find(({ to }) => to === 'unknown');
    if (!unknown) return [];
    const until = entries.find(({ from }) => from === 'unknown')?.seq ?? Number.POSITIVE_INFINITY;
    return starts
      .filter(({ seq }) => seq > unknown.seq && seq < until)
      .map(() => `${row.id} was sent while ${id} of its batch was unknown`);
  });
}

function auditKept(shown: readonly Shown[], { order, by }: Renewals['kept']): readonly string[] {
  const found: string[] = [];
  const filed = shown.flatMap((line) => {
    const evidence = keptOf(line);
    return evidence ? [{ line, evidence }] : [];
  });
  for (const [end, same] of Map.groupBy(filed, ({ line, evidence }) => `order ${line.orderId}, end ${evidence.endsAt}`))
    if (same.length > 1) found.push(`${same.length} renewals were filed by ${end}`);
  for (const { line, evidence } of filed) {
    if (line.orderId !== order) found.push(`${line.id} was filed by order ${line.orderId}, which nobody keeps`);
    if (evidence.by !== by) found.push(`${line.id} was filed on the word of ${evidence.by}, and ${by} has said Keep`);
    if (line.requester !== BUYER) found.push(`${line.id} was filed for ${line.requester}, who does not own the order`);
    const theirs = line.entries.filter(
      (entry) => entry.by === by && (entry.to === 'approved' || entry.from === 'unknown'),
    );
    for (const { from, to } of theirs) found.push(`${line.id} went from ${from} to ${to} by ${by}, who has said Keep`);
  }
  return found;
}

/** Each rung of an order's end is reached once, and each reminder written once. */
export async function auditReminders(site: Site): Promise<readonly string[]> {
  const rungs = await site.rows('SELECT order_id, ends_at, rung, reminder FROM order_reminders');
  const written = await site.rows("SELECT text FROM notices WHERE kind = 'ending'");
  return [
    ...repeated(rungs.map((row) => `${row['order_id']}, end ${row['ends_at']}, rung ${row['rung']}`)),
    ...repeated(written.map((row) => String(row['text']))),
  ].map((what) => `reminded twice: ${what}`);
}

function repeated(names: readonly string[]): readonly string[] {
  return [...Map.groupBy(names, (name) => name)].flatMap(([name, same]) => (same.length > 1 ? [name] : []));
}

/** The card and the requester's messages say what became of the rows. */
export function auditBatchInSlack(site: Site, rows: readonly LedgerLine[]): readonly string[] {
  const [first] = rows;
  if (!first?.batch) return [];
  const { batch, requester } = first;
  const words = [...Map.groupBy(rows, ({ state }) => state)].map(([state, same]) => `${same.length} ${state}`);
  return (
    [
      ['cards', cardsOf(site, batch), 1],
      ['direct messages', directsOf(site, batch, requester), 2],
    ] as const
  ).flatMap(([what, messages, wanted]) => {
    const agreeing = messages.filter((message) => words.every((word) => textOf(site, message).includes(word))).length;
    return agreeing >= wanted ? [] : [`${batch} is ${words.join(', ')}, and ${agreeing} of ${wanted} ${what} say so`];
  });
}
