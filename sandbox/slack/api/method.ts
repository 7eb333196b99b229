import { type Core, Refused } from '../core.ts';
import { type Dict, textAt } from '../json.ts';
import type { Tier } from './tiers.ts';

export interface Method {
  token: 'bot' | 'app';
  /** One of these scopes is enough; none means that any token will do. */
  scopes: string[];
  tier: Tier;
  run(core: Core, args: Dict): Dict;
}

export function requireScope(core: Core, oneOf: string[]): void {
  const provided = core.settings.scopes;
  if (oneOf.length > 0 && !oneOf.some((scope) => provided.includes(scope)))
    throw new Refused('missing_scope', { needed: oneOf.join(','), provided: provided.join(',') });
}

export function required(args: Dict, name: string, code = 'invalid_arguments'): string {
  const value = textAt(args, name);
  if (value === undefined || value === '')
    throw new Refused(code, { response_metadata: { messages: [`[ERROR] missing required field: ${name}`] } });
  return value;
}

export function flag(args: Dict, name: string): boolean {
  return [true, 'true', '1', 1].includes(args[name] as never);
}

/** Plain paging by position; the cursor is opaque to the app. */
export function page<T>(entries: T[], args: Dict, fallback: number): { entries: T[]; next: string } {
  const size = Math.max(1, Number(args['limit'] ?? fallback) || fallback);
  const from = textAt(args, 'cursor') ? Number(Buffer.from(textAt(args, 'cursor') ?? '', 'base64').toString()) : 0;
  if (!Number.isInteger(from) || from < 0) throw new Refused('invalid_cursor');
  const end = from + size;
  return {
    entries: entries.slice(from, end),
    next: end < entries.length ? Buffer.from(String(end)).toString('base64') : '',
  };
}
