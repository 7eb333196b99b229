import { describe, expect, it } from 'vitest';
import { BUYER, type Office, openOffice } from '../support/office.ts';
import { command, hears, until } from '../support/steps.ts';

describe('readiness', () => {
  it.each(['token_revoked', 'account_inactive', 'invalid_auth'])(
    'ends when Slack refuses the bot (%s), with one line in the log, and comes back by itself',
    async (code) => {
      const office = await openOffice();
      await answers(office, 200, 'ready');
      const refusing = office.slack.faults.add('auth.test', { kind: 'error', code }, { times: Infinity });
      await timePasses(office, () => refusing.hits > 2);
      await answers(office, 503, code);
      expect(errors(office)).toEqual([`Slack refuses SLACK_BOT_TOKEN (${code})`]);
      refusing.clear();
      await timePasses(office, () => office.lines.some(({ message }) => message === 'Slack answers again'));
      await answers(office, 200, 'ready');
      await command(office, 'balance');
      await hears(office, BUYER, '$1,000.00');
    },
  );

  it('is missing for an hour: the log says so four times more, since when, and once that it is well again', async () => {
    const office = await openOffice();
    await answers(office, 200, 'ready');
    const refusing = office.slack.faults.add(
      'auth.test',
      { kind: 'error', code: 'token_revoked' },
      { times: Infinity },
    );
    const said = () => office.lines.filter(({ message }) => message.startsWith('Slack refuses SLACK_BOT_TOKEN'));
    await timePasses(office, () => said().length === 1);
    const since = office.clock.now();
    const passes = async (minutes: number) => {
      const { hits } = refusing;
      office.clock.advance(minutes * 60_000);
      await until(() => refusing.hits > hits);
    };
    for (let quarter = 1; quarter <= 4; quarter += 1) {
      await passes(1);
      expect(said()).toHaveLength(quarter);
      await passes(14);
      // The answer is there before what is made of it.
      await until(() => said().length === quarter + 1);
    }
    for (const { level, fields } of said().slice(1)) {
      expect(level).toBe('error');
      expect(Math.abs(Date.parse(String(Reflect.get(fields, 'since'))) - since)).toBeLessThan(60_000);
    }
    refusing.clear();
    const well = () => office.lines.filter(({ message }) => message === 'Slack answers again');
    await timePasses(office, () => well().length > 0);
    await timePasses(office, async () => (await readyz(office)).status === 200);
    expect(well()).toHaveLength(1);
  });

  it('outlives one call that is lost, and ends when the next is lost too', async () => {
    const office = await openOffice();
    const losing = office.slack.faults.add('auth.test', { kind: 'status', status: 503 });
    await timePasses(office, () => losing.hits === 1);
    await answers(office, 200, 'ready');
    const away = office.slack.faults.add('auth.test', { kind: 'status', status: 503 }, { times: Infinity });
    await timePasses(office, () => away.hits > 2);
    await answers(office, 503, 'Slack cannot be reached (HTTP 503)');
    expect(errors(office)).toHaveLength(1);
    away.clear();
    await timePasses(office, () => office.lines.some(({ message }) => message === 'Slack answers again'));
    await answers(office, 200, 'ready');
  });

  it('ends where Slack cannot be reached: one line says why, however often it is tried, and none that only says that it failed', async () => {
    const office = await openOffice();
    await answers(office, 200, 'ready');
    const before = office.lines.length;
    const away = office.slack.faults.add('auth.test', { kind: 'reset', when: 'before' }, { times: Infinity });
    await timePasses(office, () => away.hits > 4);
    await answers(office, 503, 'Slack cannot be reached');
    const said = office.lines.slice(before).filter(({ level }) => level === 'warn' || level === 'error');
    expect(said.map(({ message }) => message)).toEqual([expect.stringMatching(/^Slack cannot be reached \(\w+\)$/)]);
    away.clear();
  });

  it('ends while nothing can be written, on a full disk for one, although everything can be read', async () => {
    const office = await openOffice();
    await answers(office, 200, 'ready');
    await write(office, `CREATE TRIGGER full BEFORE UPDATE ON instances BEGIN SELECT RAISE(FAIL, 'disk full'); END`);
    await timePasses(office, () => office.lines.some(({ fields }) => Reflect.get(fields, 'worker') === 'instances'));
    await answers(office, 503, 'the ledger cannot be written');
    await write(office, 'DROP TRIGGER full');
    await timePasses(office, async () => (await readyz(office)).status === 200);
  });
});

/** Moves the clock on until it is so: what is looked at comes round again every few seconds. */
function timePasses(office: Office, so: () => boolean | Promise<boolean>): Promise<unknown> {
  return until(() => {
    office.clock.advance(5_000);
    return so();
  });
}

async function readyz(office: Office): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${office.bot.port}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

async function answers(office: Office, status: number, words: string): Promise<void> {
  expect(await readyz(office)).toEqual({ status, text: expect.stringContaining(words) });
}

function errors(office: Office): string[] {
  return office.lines.filter(({ level }) => level === 'error').map(({ message }) => message);
}

async function write(office: Office, statement: string): Promise<void> {
  await office.books.database.write((sql) => sql.script(statement));
}
