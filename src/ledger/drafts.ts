import type { Draft, Drafts } from '../purchasing/ports/drafts.ts';
import { anything, json } from './json-columns.ts';
import { number, text } from './rows.ts';
import { type Database, one, type Row, runOne, type Sql } from './sql.ts';

/** Nobody comes back to a view that was left open for longer. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * What people have put together in open views. An abandoned one is gone after a day. Each press in a form is kept, and none waits for the
 * disk: whoever has filed what stands there has it there too.
 */
export function createDrafts(database: Database): Drafts {
  const keep = <T>(work: (sql: Sql) => Promise<T>) => database.write(work, 'later');
  return {
    create: <T extends object>(user: string, content: T) =>
      keep(async (sql) => {
        const now = await sql.now();
        await sql.run('DELETE FROM drafts WHERE changed_at < :before', { before: now - KEPT_MS });
        const draft: Draft<T> = { id: crypto.randomUUID(), user, revision: 1, content };
        await runOne(
          sql,
          'INSERT INTO drafts (id, owner, revision, content, changed_at) VALUES (:id, :owner, 1, :content, :now)',
          { id: draft.id, owner: user, content: JSON.stringify(content), now },
        );
        return draft;
      }),

    read: <T extends object>(id: string, user: string) => database.read((sql) => find<T>(sql, id, user)),

    update: <T extends object>(id: string, user: string, change: (content: T) => T) =>
      keep(async (sql) => {
        const draft = await find<T>(sql, id, user);
        if (!draft) return undefined;
        const next: Draft<T> = { ...draft, revision: draft.revision + 1, content: change(draft.content) };
        await runOne(
          sql,
          'UPDATE drafts SET content = :content, revision = :next, changed_at = :now WHERE id = :id AND revision = :revision',
          {
            id,
            revision: draft.revision,
            next: next.revision,
            content: JSON.stringify(next.content),
            now: await sql.now(),
          },
        );
        return next;
      }),
  };
}

async function find<T>(sql: Sql, id: string, user: string): Promise<Draft<T> | undefined> {
  const row = await one(sql, 'SELECT * FROM drafts WHERE id = :id AND owner = :owner', { id, owner: user });
  return row && toDraft<T>(row);
}

function toDraft<T>(row: Row): Draft<T> {
  return {
    id: text(row, 'id'),
    user: text(row, 'owner'),
    revision: number(row, 'revision'),
    content: json<object>(row, 'content', anything) as T,
  };
}
