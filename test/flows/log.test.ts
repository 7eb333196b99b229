import { describe, expect, it } from 'vitest';
import { BUYER, CHANNEL, LEAD, type LogLine, type Office, openOffice } from '../support/office.ts';
import {
  approved,
  buyNow,
  command,
  decide,
  faultGroups,
  file,
  hears,
  logged,
  openDecision,
  press,
  reaches,
  until,
} from '../support/steps.ts';

describe('the log', () => {
  it('says at the start what runs, on what, by which rules', async () => {
    const { fields } = await logged(await openOffice(), 'starting');
    expect(fields).toEqual({
      version: '0',
      schema: expect.any(Number),
      policy: expect.stringMatching(/^[0-9a-f]{16}$/),
      vendor: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      database: 'sqlite',
      built: false,
    });
  });

  it('has one line for each step of a purchase, with who has made it', async () => {
    const office = await openOffice();
    const bought = await buyNow(office, 'US 5');
    await reaches(office, bought, 'completed');
    const { purchase } = await approved(office, 'US 10', 'completed');
    const rejected = await file(office, 'DE 10');
    await decide(office, rejected, 'Reject');
    await reaches(office, rejected, 'rejected');
    const withdrawn = await file(office, 'FR 10');
    await press(office, withdrawn, 'Withdraw', BUYER);
    await reaches(office, withdrawn, 'withdrawn');

    expect(steps(office, bought)).toEqual(['filed', 'sending', 'answered', 'completed']);
    expect(steps(office, purchase.id)).toEqual(['filed', 'approved', 'sending', 'answered', 'completed']);
    expect(steps(office, rejected)).toEqual(['filed', 'rejected']);
    expect(steps(office, withdrawn)).toEqual(['filed', 'withdrawn']);
    expect(line(office, purchase.id, 'filed')).toMatchObject({ level: 'info', fields: { requester: BUYER } });
    expect(line(office, purchase.id, 'approved')).toMatchObject({ level: 'info', fields: { by: LEAD, user: LEAD } });
    // What people typed is theirs.
    expect(JSON.stringify(office.lines.map(({ fields }) => fields))).not.toMatch(/scraping the catalogue|not now/);
  });

  it('warns of an unknown outcome, and says who has settled it, and how', async () => {
    const office = await openOffice({ approvals: `approvals: { channel: ${CHANNEL}, free_up_to: 0 }` });
    office.vendor.next('create', { name: 'html' });
    const { purchase } = await approved(office, 'US 10', 'unknown');
    expect(line(office, purchase.id, 'unknown')).toMatchObject({ level: 'warn', fields: { why: expect.any(String) } });
    const lou = await openDecision(office, purchase.id, 'It was not placed', LEAD);
    await lou.type('Note', 'not in the console');
    await lou.submit();
    await reaches(office, purchase.id, 'declined');
    expect(line(office, purchase.id, 'settled')).toMatchObject({
      message: 'settled: it was not placed',
      fields: { by: LEAD },
    });
  });

  it('tells of each freeze and its end, by a person as by itself', async () => {
    const office = await openOffice();
    await command(office, 'freeze looking into it', LEAD);
    expect(await logged(office, 'spending is frozen')).toMatchObject({ level: 'warn', fields: { by: LEAD } });
    await command(office, 'unfreeze', LEAD);
    await logged(office, 'spending is no longer frozen');
    office.vendor.always('balance', { name: 'status', status: 401 });
    await command(office, 'balance');
    await until(() => frozen(office).length === 2);
    expect(frozen(office)[1]).toMatchObject({ level: 'warn', fields: { by: 'desk' } });
  });

  it('says once that the vendor cannot be read, and once that it can be again', async () => {
    const office = await openOffice();
    office.vendor.always('balance', { name: 'html' });
    for (let times = 1; times <= 2; times += 1) {
      await command(office, 'balance');
      await until(() => office.slack.as(BUYER).screen.ephemerals.length === times);
    }
    office.vendor.behave();
    await command(office, 'balance');
    await hears(office, BUYER, '$1,000.00');
    const told = office.lines.filter(({ message }) => message.startsWith('the balance c'));
    expect(told.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: the balance could not be read',
      'info: the balance can be read again',
    ]);
  });

  it('names a scope that is missing for looking up people, and says when it is there', async () => {
    const office = await openOffice();
    office.clock.advance(61_000);
    const missing = office.slack.faults.add(
      'users.info',
      { kind: 'error', code: 'missing_scope' },
      { times: Infinity },
    );
    await command(office, 'balance');
    await hears(office, BUYER, 'could not be checked');
    const { level, fields } = await logged(office, 'Slack does not answer a call as it should');
    expect({ level, fields }).toMatchObject({
      level: 'warn',
      fields: { method: 'users.info', code: 'missing_scope' },
    });
    missing.clear();
    office.clock.advance(61_000);
    await command(office, 'balance');
    await logged(office, 'Slack answers this call again');
  });

  it('names a scope that is missing for reading groups', async () => {
    const office = await openOffice();
    office.clock.advance(61_000);
    faultGroups(office, { kind: 'error', code: 'missing_scope' });
    await command(office, 'balance');
    await hears(office, BUYER, 'could not be checked');
    const { level, fields } = await logged(office, 'Slack does not answer a call as it should');
    expect({ level, fields }).toMatchObject({
      level: 'warn',
      fields: { method: expect.stringMatching(/^usergroups\./), code: 'missing_scope' },
    });
  });

  it('says at each start that spending is frozen, and why', async () => {
    const office = await openOffice();
    await command(office, 'freeze restored from the backup', LEAD);
    await logged(office, 'spending is frozen');
    await office.restart();
    await until(() => frozen(office).length === 2);
    expect(frozen(office)[1]).toMatchObject({ level: 'warn', fields: { reason: 'restored from the backup' } });
  });

  it('of any call that Slack refuses since the bot is not let in takes readiness away at once', async () => {
    const office = await openOffice();
    office.clock.advance(61_000);
    office.slack.faults.add('users.info', { kind: 'error', code: 'token_revoked' });
    office.slack.faults.add('auth.test', { kind: 'error', code: 'token_revoked' }, { times: Infinity });
    await command(office, 'balance');
    await logged(office, 'Slack refuses SLACK_BOT_TOKEN (token_revoked)');
    expect((await fetch(`http://127.0.0.1:${office.bot.port}/readyz`)).status).toBe(503);
  });
});

function steps(office: Office, id: string): string[] {
  return office.lines.filter((each) => isOf(each, id)).map(({ message }) => message);
}

function line(office: Office, id: string, words: string): LogLine | undefined {
  return office.lines.find((each) => isOf(each, id) && each.message.includes(words));
}

function isOf({ level, fields }: LogLine, id: string): boolean {
  return level !== 'debug' && Reflect.get(fields, 'purchase') === id;
}

function frozen(office: Office): readonly LogLine[] {
  return office.lines.filter(({ message }) => message === 'spending is frozen');
}
