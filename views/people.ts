import { DESK, operatorName } from '../src/purchasing/model/entries.ts';
import { literal } from './text.ts';

/** A person by a Slack user id of ours, or an operator, who may have none and is never mentioned. Never made from text that somebody typed. */
export function person(id: string): string {
  if (id === DESK) return 'Proxy Desk itself';
  const operator = operatorName(id);
  if (operator !== null) return `the operator ${literal(operator, 100)}`;
  return /^[UW][A-Z0-9]+$/.test(id) ? `<@${id}>` : literal(id, 100);
}

/** Mentions of user groups, which notify in a message and only name in a view. */
export function groups(ids: readonly string[]): string {
  return ids
    .filter((id) => /^S[A-Z0-9]+$/.test(id))
    .map((id) => `<!subteam^${id}>`)
    .join(' ');
}
