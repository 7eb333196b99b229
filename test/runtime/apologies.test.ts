import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { LedgerUnusable } from '../../src/ledger/errors.ts';
import { CommitInDoubt, PostgresTrouble } from '../../src/ledger/postgres/errors.ts';
import { apologies } from '../../src/runtime/app.ts';

const AWAY = 'The ledger cannot be reached at the moment (reference 1a2b3c4d).';
const NOTHING = '*Nothing was filed or decided*, and no money has moved.';
const LOOK = 'Look at `/proxy requests` before you try again';

/** A real one: the table is not there. */
function bug(): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    return database.prepare('SELECT * FROM nowhere');
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

function sqlite(errcode: number): Error {
  return Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
}

describe('what people are told when something broke, by what is known of it', () => {
  test.each([
    ['the database is away', 'submit', new PostgresTrouble(new Error('connect ECONNREFUSED')), [AWAY, NOTHING]],
    ['the database is away', 'other', new PostgresTrouble(new Error('connect ECONNREFUSED')), [AWAY]],
    ['somebody else writes all the time', 'submit', sqlite(5), [AWAY, NOTHING]],
    ['the disk is full', 'submit', sqlite(13), [AWAY, NOTHING]],
    ['the disk has an error of its own', 'submit', sqlite(10 | (3 << 8)), [AWAY, NOTHING]],
    ['the file was replaced', 'submit', new LedgerUnusable('replaced', 'start again'), [AWAY, NOTHING]],
    ['a commit was not confirmed', 'submit', new CommitInDoubt(), ['it may have been filed or decided, or not', LOOK]],
    ['a bug', 'submit', new TypeError('x is undefined'), ['Something went wrong here (reference 1a2b3c4d)']],
    ['a bug in a statement', 'submit', bug(), ['Something went wrong here (reference 1a2b3c4d)']],
  ] as const)('%s (%s)', (_, kind, error, words) => {
    const sentence = apologies.sentence('1a2b3c4d', error, kind);
    for (const part of words) expect(sentence).toContain(part);
    expect(sentence.includes(NOTHING)).toBe((words as readonly string[]).includes(NOTHING));
  });

  test('an answer that came late is shown as a view, whatever it was', () => {
    const text = (answer: Parameters<typeof apologies.answerView>[0]) => JSON.stringify(apologies.answerView(answer));
    const view = apologies.view('Filed.');
    expect(apologies.answerView({ response_action: 'update', view })).toBe(view);
    expect(text(undefined)).toContain('Done.');
    expect(text({ response_action: 'clear' })).toContain('Done.');
    expect(text({ response_action: 'errors', errors: { note: 'Say how you know.' } })).toContain(
      'Nothing was filed. Say how you know. Please start again.',
    );
  });
});
