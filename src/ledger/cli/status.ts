import { plural } from '../../plural.ts';
import { durationText } from '../../purchasing/model/duration.ts';
import { shortDigest } from '../../purchasing/model/policy-digest.ts';
import { OPEN_STATES, STATES } from '../../purchasing/model/purchase.ts';
import { countOf, differ, type Status } from '../../purchasing/ports/status.ts';
import { jsonLine, literal, time } from './output.ts';

/** @param kind of database */
export function statusJson(status: Status, kind: string): string {
  const { schema, freeze, oldest, notices, instances } = status;
  return jsonLine({
    database: kind,
    schema,
    frozen: freeze && { by: freeze.by, reason: freeze.reason, since: time(freeze.at) },
    purchases: Object.fromEntries(STATES.map((state) => [state, countOf(status, state)])),
    oldest: Object.fromEntries(
      OPEN_STATES.map((state) => {
        const first = oldest.find((one) => one.state === state);
        const age = first && Math.floor((status.now - first.since) / 1_000);
        return [state, first ? { id: first.id, since: time(first.since), ageSeconds: age } : null];
      }),
    ),
    undelivered: notices.count,
    instances: instances.map(({ id, version, startedAt, policyHash, policySince, slack }) => ({
      id,
      version,
      startedAt: time(startedAt),
      policy: policyHash,
      policySince: policySince === null ? null : time(policySince),
      slack,
    })),
    policiesDiffer: differ(instances, 'policyHash'),
    vendorsDiffer: differ(instances, 'vendorHash'),
  });
}

/** @param place of the database */
export function statusText(status: Status, place: string): string {
  const { now, schema, freeze, oldest, notices, instances } = status;
  const age = (since: number) => durationText(now - since);
  const states = STATES.map((state): Line => {
    const count = countOf(status, state);
    const first = oldest.find((one) => one.state === state);
    return [state, `${count}${first ? `, ${first.id} for ${age(first.since)}` : ''}`];
  });
  const frozen = freeze && `frozen for ${age(freeze.at)} by ${literal(freeze.by)}: ${literal(freeze.reason)}`;
  const lines: readonly Line[] = [
    ['ledger', `${place}, schema ${schema}`],
    ['spending', frozen ?? 'not frozen'],
    ...states,
    ['messages owed', String(notices.count)],
    ['bot', instances.length === 0 ? 'not running' : `running, ${plural(instances.length, 'process', 'processes')}`],
    ...instances.map(
      ({ id, version, startedAt, policyHash, slack }): Line => [
        '',
        `${id}, version ${version}, started ${age(startedAt)} ago, policy ${shortDigest(policyHash)}${slack === null ? '' : `, Slack: ${literal(slack)}`}`,
      ],
    ),
    ...(differ(instances, 'policyHash')
      ? [['', 'They go by different policies: give all of them the same policy file.'] as const]
      : []),
    ...(differ(instances, 'vendorHash')
      ? [['', 'They use different vendor addresses or accounts: restart those with the wrong one.'] as const]
      : []),
  ];
  return lines.map(([name, value]) => `${name.padEnd(16)} ${value}\n`).join('');
}

type Line = readonly [name: string, value: string];
