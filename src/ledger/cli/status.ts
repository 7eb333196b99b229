import { durationText } from '../../purchasing/model/duration.ts';
import type { Freeze } from '../../purchasing/model/freeze.ts';
import { OPEN_STATES, type State } from '../../purchasing/model/purchase.ts';
import { ALIVE_MS, type Instance } from '../../purchasing/ports/instances.ts';
import { aliveInstances } from '../instances.ts';
import { createLedger } from '../ledger.ts';
import { schemaVersion } from '../migrate.ts';
import { createOutbox } from '../outbox.ts';
import { number, text } from '../rows.ts';
import { type Database, one, type Sql } from '../sql.ts';
import { jsonLine, literal, time } from './output.ts';

export interface Status {
  readonly now: number;
  readonly schema: number;
  readonly freeze: Freeze | null;
  readonly counts: Readonly<Record<State, number>>;
  /** Of each state that is not an end, the purchase that has been in it for longest. */
  readonly oldest: readonly { readonly id: string; readonly state: State; readonly since: number }[];
  readonly undelivered: number;
  readonly instances: readonly Instance[];
}

export async function readStatus(sql: Sql): Promise<Status> {
  const database: Database = {
    read: (work) => work(sql),
    write: () => Promise.reject(new Error('only looked at')),
    close: () => Promise.resolve(),
  };
  const ledger = createLedger(database);
  return {
    now: await sql.now(),
    schema: await schemaVersion(sql),
    freeze: await ledger.freeze(),
    counts: await ledger.countByState(),
    oldest: await oldestOpen(sql),
    undelivered: await createOutbox(database).undelivered(),
    instances: await aliveInstances(sql, ALIVE_MS),
  };
}

async function oldestOpen(sql: Sql): Promise<Status['oldest']> {
  const found = [];
  for (const state of OPEN_STATES) {
    const row = await one(
      sql,
      'SELECT id, changed_at FROM purchases WHERE state = :state ORDER BY changed_at, seq LIMIT 1',
      { state },
    );
    if (row) found.push({ id: text(row, 'id'), state, since: number(row, 'changed_at') });
  }
  return found;
}

/** @param kind of database */
export function statusJson(status: Status, kind: string): string {
  const { schema, freeze, counts, oldest, undelivered, instances } = status;
  return jsonLine({
    database: kind,
    schema,
    frozen: freeze && { by: freeze.by, reason: freeze.reason, since: time(freeze.at) },
    purchases: counts,
    oldest: Object.fromEntries(
      OPEN_STATES.map((state) => {
        const first = oldest.find((one) => one.state === state);
        const age = first && Math.floor((status.now - first.since) / 1_000);
        return [state, first ? { id: first.id, since: time(first.since), ageSeconds: age } : null];
      }),
    ),
    undelivered,
    instances: instances.map(({ id, version, startedAt }) => ({ id, version, startedAt: time(startedAt) })),
    policiesDiffer: differ(instances, 'policyHash'),
    vendorsDiffer: differ(instances, 'vendorHash'),
  });
}

/** @param place of the database */
export function statusText(status: Status, place: string): string {
  const { now, schema, freeze, counts, oldest, undelivered, instances } = status;
  const age = (since: number) => durationText(now - since);
  const states = Object.entries(counts).map(([state, count]): Line => {
    const first = oldest.find((one) => one.state === state);
    return [state, `${count}${first ? `, ${first.id} for ${age(first.since)}` : ''}`];
  });
  const frozen = freeze && `frozen for ${age(freeze.at)} by ${literal(freeze.by)}: ${literal(freeze.reason)}`;
  const lines: readonly Line[] = [
    ['ledger', `${place}, schema ${schema}`],
    ['spending', frozen ?? 'not frozen'],
    ...states,
    ['messages owed', String(undelivered)],
    [
      'bot',
      instances.length === 0
        ? 'not running'
        : `running, ${instances.length === 1 ? '1 process' : `${instances.length} processes`}`,
    ],
    ...instances.map(
      ({ id, version, startedAt }): Line => ['', `${id}, version ${version}, started ${age(startedAt)} ago`],
    ),
    ...(differ(instances, 'policyHash')
      ? [['', 'They go by different policies: restart those that were started first.'] as const]
      : []),
    ...(differ(instances, 'vendorHash')
      ? [['', 'They use different vendor addresses or accounts: restart those with the wrong one.'] as const]
      : []),
  ];
  return lines.map(([name, value]) => `${name.padEnd(16)} ${value}\n`).join('');
}

type Line = readonly [name: string, value: string];

function differ(instances: readonly Instance[], what: 'policyHash' | 'vendorHash'): boolean {
  return new Set(instances.map((instance) => instance[what])).size > 1;
}
