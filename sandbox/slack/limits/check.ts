import { type Dict, isDict, shown } from '../json.ts';

/** One thing that Slack refuses, with where it is (a JSON pointer) and Slack's own wording. */
export interface Problem {
  at: string;
  says: string;
}

export type Report = (at: string, says: string) => void;
export type Check = (value: unknown, at: string, report: Report) => void;

export function problemsOf(check: Check, value: unknown, at: string): Problem[] {
  const problems: Problem[] = [];
  check(value, at, (where, says) => problems.push({ at: where, says }));
  return problems;
}

export function string({ min = 1, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number } = {}): Check {
  return (value, at, report) => {
    if (typeof value !== 'string') return report(at, 'must provide a string');
    if (value.length < min) report(at, `must be more than ${min - 1} characters`);
    // UTF-16 units: the stricter of the two ways to count.
    if (value.length > max) report(at, `must be less than ${max + 1} characters`);
  };
}

export const boolean: Check = (value, at, report) => {
  if (typeof value !== 'boolean') report(at, 'must provide a boolean');
};

export function integer(min: number, max: number): Check {
  return (value, at, report) => {
    if (!Number.isInteger(value)) return report(at, 'must provide an integer');
    if (Number(value) < min || Number(value) > max) report(at, `must be between ${min} and ${max}`);
  };
}

export function oneOf(...allowed: string[]): Check {
  return (value, at, report) => {
    if (typeof value !== 'string' || !allowed.includes(value))
      report(at, `must be a valid enum value (${allowed.join(', ')})`);
  };
}

export function matching(pattern: RegExp, what: string): Check {
  return (value, at, report) => {
    if (typeof value !== 'string' || !pattern.test(value)) report(at, `must be ${what}`);
  };
}

export function list(item: Check, { min = 0, max = Number.POSITIVE_INFINITY } = {}): Check {
  return (value, at, report) => {
    if (!Array.isArray(value)) return report(at, 'must provide an array');
    if (value.length < min) report(at, `no fewer than ${min} items allowed`);
    if (value.length > max) report(at, `no more than ${max} items allowed`);
    value.forEach((entry, index) => {
      item(entry, `${at}/${index}`, report);
    });
  };
}

/** Fields whose name ends in `!` are required; a field not named here is refused. */
export function object(fields: Record<string, Check>, ...extra: ((value: Dict, at: string, report: Report) => void)[]) {
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace('!', ''), check]));
  const required = Object.keys(fields).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  const check: Check = (value, at, report) => {
    if (!isDict(value)) return report(at, 'must provide an object');
    for (const name of required) if (value[name] === undefined) report(at, `missing required field: ${name}`);
    for (const [name, entry] of Object.entries(value)) {
      const inner = known.get(name);
      if (!inner) report(at, `invalid additional property: ${name}`);
      else if (entry !== undefined) inner(entry, `${at}/${name}`, report);
    }
    for (const more of extra) more(value, at, report);
  };
  return check;
}

/**
 * Chooses by the `type` field among the kinds allowed in this place. Only what the product sends is known at all: whatever
 * else Slack may have is refused as loudly, until it is needed and its limits are written down here.
 */
export function byType(kinds: Record<string, Check>, allowed: readonly string[] = Object.keys(kinds)): Check {
  return (value, at, report) => {
    if (!isDict(value)) return report(at, 'must provide an object');
    const type = value['type'];
    if (type === undefined) return report(at, 'missing required field: type');
    const check = typeof type === 'string' && allowed.includes(type) ? kinds[type] : undefined;
    if (!check)
      return report(
        `${at}/type`,
        `unsupported type: ${shown(type)} (in this place, or by the local Slack: see sandbox/slack/limits)`,
      );
    check(value, at, report);
  };
}

export const anything: Check = () => {};
