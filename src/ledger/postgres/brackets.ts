import { type Kept, nameFor } from './kept.ts';

/** What stands before and after the work of each transaction that writes, on one connection: one way to the server each. */
export interface Brackets {
  /** What its last statement says is {@link Begun}. */
  readonly begin: () => string;
  /** Leaves the mark by which a commit in doubt is recognised, and commits. */
  readonly end: (nth: number) => string;
}

/** What the last statement of a beginning says; only the time, where the schema is altered. */
export interface Begun {
  readonly now: number;
  readonly identity?: string;
  readonly home?: string | null;
  readonly fsync?: string;
}

export const NOW = 'SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT) AS now';

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** All writes of all processes take turns at this row. READ COMMITTED: what is read after it is what the one before has written. */
const TURN = 'SELECT 1 FROM desk WHERE id = 1 FOR UPDATE';

/** Where it is, and whether that is a place to write to, each transaction asks anew: a pooler or a new primary may have led it elsewhere. */
const look = (identity: string) => `${NOW}, ${identity} AS identity,
    (SELECT identity FROM home WHERE id = 1) AS home, current_setting('fsync') AS fsync,
    -- A server may be set up to answer before a commit is on disk; whatever is stricter than "on" stays.
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`;

/** Of the transaction `$1`. The writer's name is our own: no quotes, no statement of its own. */
function mark(writer: string): string {
  if (!/^[\w-]+$/.test(writer)) throw new Error('not a name of a writer');
  return `INSERT INTO commits (writer, nth, at) VALUES ('${writer}', $1, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT))
    ON CONFLICT (writer) DO UPDATE SET nth = excluded.nth, at = excluded.at`;
}

/** @param identity an expression that tells server and database */
export function bracketsOf(identity: string, writer: string, kept: Kept): Brackets {
  const before = [TURN, look(identity)].map(named);
  const after = named(mark(writer));
  const beginning = [BEGIN, ...before.map(({ text }) => text)].join('; ');
  const keeping = [...before, after].map(({ name, text }) => `PREPARE ${name} AS ${text}`);
  const executing = before.map(({ name }) => `EXECUTE ${name}`);
  let isKept = false;
  return {
    begin() {
      if (!kept.isOn()) return beginning;
      const first = isKept ? [] : keeping;
      isKept = true;
      return [BEGIN, ...first, ...executing].join('; ');
    },
    // What was kept at the beginning is there at the end: a transaction stays on one server process.
    end: (nth) => `${kept.isOn() ? `EXECUTE ${after.name} (${nth})` : after.text.replace('$1', String(nth))}; COMMIT`,
  };
}

function named(text: string) {
  return { text, name: nameFor(text) };
}
