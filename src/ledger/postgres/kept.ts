import { createHash } from 'node:crypto';

/** What is asked for but once or twice is not worth a place in the server's memory. */
const WORTH_KEEPING = 3;

/** On each connection, 25 kB each. Lists make a text of each length; what finds no place is planned at each use. */
const AT_MOST = 200;

/** This server process does not keep what was given to it, or keeps what another client gave it: a pooler has led here. */
const NOT_OURS: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/**
 * Statements that the server keeps for each connection, so that it reads and plans each of them once and not at every use.
 * What is kept has the name of its text: whatever server process a pooler leads to, it cannot be taken for another statement.
 */
export interface Kept {
  /** undefined where the server is to read it anew. */
  readonly nameOf: (text: string) => string | undefined;
  /** Whether anything is to be kept at all. */
  readonly isOn: () => boolean;
  /** Hears of trouble. Where a pooler is in the way nothing is kept from then on, on no connection. */
  readonly heard: (code: string | undefined) => void;
}

export function keptStatements(): Kept {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let on = true;
  return {
    nameOf(text) {
      if (!on) return undefined;
      const name = names.get(text);
      if (name !== undefined || names.size >= AT_MOST) return name;
      const nth = (uses.get(text) ?? 0) + 1;
      uses.set(text, nth);
      if (nth < WORTH_KEEPING) return undefined;
      uses.delete(text);
      names.set(text, nameFor(text));
      return names.get(text);
    },
    isOn: () => on,
    heard(code) {
      on &&= !NOT_OURS.has(code);
    },
  };
}

/** The server takes 63 characters. */
export function nameFor(text: string): string {
  return `desk_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}
