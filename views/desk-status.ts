import { plural } from '../src/plural.ts';
import type { DeskStatus } from '../src/purchasing/desk-status.ts';
import { shortDigest } from '../src/purchasing/model/policy-digest.ts';
import type { Purchase } from '../src/purchasing/model/purchase.ts';
import type { Instance } from '../src/purchasing/ports/instances.ts';
import { type Backlog, countOf, differ, type Status } from '../src/purchasing/ports/status.ts';
import type { LaneStanding } from '../src/purchasing/rules/waiting.ts';
import { type DrawnMessage, paragraph } from './blocks.ts';
import { balanceNow, contentShort, freezeLine, person, timeOfDay, waited, when } from './format.ts';
import { literal } from './text.ts';

/** More would be a mistake, and not read on a phone. */
const PROCESSES_SHOWN = 8;

/** To `/proxy status`. */
export function deskStatusMessage({ status, lane, reading, me }: DeskStatus): DrawnMessage {
  const { now, freeze, instances } = status;
  const text = freeze ? 'Spending is frozen.' : 'Spending is not frozen.';
  const shown = instances.slice(-PROCESSES_SHOWN);
  return {
    text,
    blocks: [
      ...paragraph([freezeLine(freeze) ?? `*${text}*`]),
      ...paragraph(laneLines(lane, now)),
      ...paragraph([
        openLine(status),
        owedLine('message owed', 'messages owed', status.notices, now),
        owedLine('balance reading due', 'balance readings due', status.readings, now),
        `*Balance*, as last read: ${balanceNow(reading, 'this process has not read it yet')}`,
      ]),
      ...paragraph([
        `*${plural(instances.length, 'process', 'processes')}*`,
        ...shown.map((instance) => processLine(instance, me)),
        differ(shown, 'policyHash') ? '⚠️ They go by different policies: give all of them the same policy file.' : null,
        differ(shown, 'vendorHash')
          ? '⚠️ They use different vendor addresses or accounts: restart those with the wrong one.'
          : null,
      ]),
    ],
  };
}

function laneLines({ sending, next }: LaneStanding, now: number): readonly (string | null)[] {
  if (!sending && !next) return ['Nothing waits to be sent.'];
  return [
    sending &&
      `*Being sent*: ${what(sending)}, since ${timeOfDay(sending.changedAt)} (${waited(now - sending.changedAt)})`,
    next &&
      `*Next*: ${what(next.purchase)}, approved ${waited(now - next.purchase.changedAt)} ago. It waits: ${literal(next.why, 300)}.`,
  ];
}

function what(purchase: Purchase): string {
  const verb = purchase.kind === 'buy' ? '' : 'renew ';
  return `${verb}${contentShort(purchase)} for ${person(purchase.requester)} (${literal(purchase.id, 60)})`;
}

function openLine(status: Status): string {
  const of = (state: 'requested' | 'approved' | 'unknown', one: string) => {
    const count = countOf(status, state);
    const oldest = status.oldest.find((first) => first.state === state);
    return `${count} ${one}${oldest ? ` (oldest ${waited(status.now - oldest.since)})` : ''}`;
  };
  return `*Open*: ${[of('requested', 'to be decided'), of('approved', 'to be sent'), of('unknown', 'unknown')].join(' · ')}`;
}

/** Null where nothing is. */
function owedLine(one: string, many: string, { count, since }: Backlog, now: number): string | null {
  if (count === 0) return null;
  return `${count} ${count === 1 ? one : many}${since === null ? '' : ` (oldest ${waited(now - since)})`}`;
}

function processLine({ id, version, startedAt, policyHash, policySince, slack }: Instance, me: string): string {
  const policy = `policy ${literal(shortDigest(policyHash), 20)}${policySince === null ? '' : ` since ${when(policySince)}`}`;
  const link =
    slack === null ? 'Slack: not said' : slack === 'connected' ? 'Slack: connected' : `⚠️ ${literal(slack, 200)}`;
  const name = `\`${literal(id, 40)}\`${id === me ? ' (this one)' : ''}`;
  return `• ${name} version ${literal(version, 40)}, since ${when(startedAt)}\n   ${policy}\n   ${link}`;
}
