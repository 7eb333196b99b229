import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let clock: number;
let slack: LocalSlack;
beforeEach(async () => {
  clock = 1_800_000_000_000;
  slack = await startWorld({ now: () => clock });
});
afterEach(() => slack.close());

describe('people', () => {
  test('a group is read with its members, a disabled or unknown one not at all', async () => {
    expect(await call(slack, 'usergroups.users.list', { usergroup: 'S1' })).toEqual({ ok: true, users: ['U1'] });
    expect((await call(slack, 'usergroups.users.list', { usergroup: 'S9' })).error).toBe('no_such_subteam');
    await slack.world.setGroup('S1', { disabled: true });
    expect((await call(slack, 'usergroups.users.list', { usergroup: 'S1' })).error).toBe('no_such_subteam');
    expect(await call(slack, 'usergroups.users.list', { usergroup: 'S1', include_disabled: true })).toMatchObject({
      ok: true,
    });
  });
  test('all groups are read in one call, with their members where asked for; disabled ones only where asked for', async () => {
    await slack.world.setGroup('S2', { members: ['U2'], disabled: true });
    const list = async (args: object = {}) => (await call(slack, 'usergroups.list', { ...args }))['usergroups'];
    expect(await list({ include_users: true })).toMatchObject([{ id: 'S1', users: ['U1'], date_delete: 0 }]);
    expect((await list()) as object[]).not.toContainEqual(expect.objectContaining({ users: expect.anything() }));
    expect(await list({ include_users: true, include_disabled: true, include_count: true })).toMatchObject([
      { id: 'S1', users: ['U1'], user_count: 1, date_delete: 0 },
      { id: 'S2', users: ['U2'], date_delete: Math.floor(clock / 1000) },
    ]);
  });
  test('groups that come without their members, or are refused, still answer one by one', async () => {
    slack.settings.omitGroupUsers = true;
    const all = await call(slack, 'usergroups.list', { include_users: true });
    expect(all['usergroups']).toMatchObject([{ id: 'S1' }]);
    expect(JSON.stringify(all)).not.toContain('"users"');
    slack.faults.add('usergroups.list', { kind: 'error', code: 'missing_scope' }, { times: Number.POSITIVE_INFINITY });
    expect((await call(slack, 'usergroups.list')).error).toBe('missing_scope');
    expect(await call(slack, 'usergroups.users.list', { usergroup: 'S1' })).toEqual({ ok: true, users: ['U1'] });
  });
  test('a record says who is a guest, gone or of another organisation', async () => {
    slack.world.setPerson('U2', { isRestricted: true, enterpriseUserId: 'W2' });
    expect(await call(slack, 'users.info', { user: 'U2' })).toMatchObject({
      user: { is_restricted: true, deleted: false, enterprise_user: { id: 'W2' } },
    });
    expect(await call(slack, 'users.info', { user: 'U9' })).toMatchObject({ user: { team_id: 'T9OTHER' } });
    expect((await call(slack, 'users.info', { user: 'U0' })).error).toBe('user_not_found');
  });
  test.each([
    ['Pacific/Kiritimati', '2026-01-15', 50_400],
    ['Pacific/Pago_Pago', '2026-01-15', -39_600],
    ['Europe/Berlin', '2026-01-15', 3_600],
    ['Europe/Berlin', '2026-07-15', 7_200],
    ['Asia/Kolkata', '2026-01-15', 19_800],
    ['UTC', '2026-01-15', 0],
  ])('a record tells the time zone: %s on %s', async (timeZone, day, offset) => {
    clock = Date.parse(`${day}T12:00:00Z`);
    slack.world.setPerson('U2', { timeZone });
    const user = { tz: timeZone, tz_offset: offset };
    expect(await call(slack, 'users.info', { user: 'U2' })).toMatchObject({ user });
    slack.world.setPerson('U2', { deleted: true });
    const gone = (await call(slack, 'users.info', { user: 'U2' }))['user'];
    expect(gone).not.toHaveProperty('tz');
    expect(gone).not.toHaveProperty('tz_offset');
  });
  test('somebody is found by an e-mail address, in whatever case, unless deactivated', async () => {
    slack.world.setPerson('U2', { email: 'Bob@Example.com' });
    const lookUp = (email: string) => call(slack, 'users.lookupByEmail', { email });
    expect(await lookUp('bob@example.COM')).toMatchObject({
      user: { id: 'U2', profile: { email: 'Bob@Example.com' } },
    });
    expect((await lookUp('nobody@example.com')).error).toBe('users_not_found');
    slack.world.setPerson('U2', { deleted: true });
    expect((await lookUp('bob@example.com')).error).toBe('users_not_found');
  });
  test('without the scope there is neither a look-up nor an address in a record', async () => {
    slack.settings.scopes = slack.settings.scopes.filter((scope) => scope !== 'users:read.email');
    expect(await call(slack, 'users.lookupByEmail', { email: 'ada@example.com' })).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read.email',
    });
    expect(JSON.stringify(await call(slack, 'users.info', { user: 'U1' }))).not.toContain('@');
  });
});

describe('a private channel', () => {
  beforeEach(() => slack.world.setChannel('C2', { name: 'leads', isPrivate: true, members: ['U2', 'U9', 'U1'] }));
  const members = (args: object = {}) => call(slack, 'conversations.members', { channel: 'C2', ...args });
  test('tells the bot in it who is in it, page by page', async () => {
    const first = await members({ limit: 3 });
    expect(first['members']).toEqual(['U2', 'U9', 'U1']);
    const { next_cursor: cursor } = first['response_metadata'] as { next_cursor: string };
    expect(await members({ limit: 3, cursor })).toMatchObject({
      members: ['U0BOT'],
      response_metadata: { next_cursor: '' },
    });
  });
  test('is not there for a bot outside, and has a scope of its own', async () => {
    slack.settings.scopes = ['channels:read'];
    expect(await members()).toMatchObject({ error: 'missing_scope', needed: 'groups:read' });
    slack.settings.scopes = ['groups:read'];
    expect((await members()).ok).toBe(true);
    expect(await members({ channel: 'C1' })).toMatchObject({ error: 'missing_scope', needed: 'channels:read' });
    slack.world.setChannel('C2', { hasBot: false });
    expect((await members()).error).toBe('channel_not_found');
  });
  test('is seen by its members alone', async () => {
    slack.world.setChannel('C2', { members: ['U2'] });
    const { ts } = await call(slack, 'chat.postMessage', { channel: 'C2', text: 'secret' });
    expect(slack.as('U2').screen.channels['leads']).toMatchObject([{ ts, text: 'secret' }]);
    const ada = slack.as('U1');
    expect(ada.screen.text()).not.toContain('secret');
    await expect(ada.command('/proxy', '', { channel: 'C2' })).rejects.toThrow('U1 is not in C2');
    await expect(ada.pressOn(slack.as('U2').message('secret'), 'Approve')).rejects.toThrow('cannot see');
  });
});
