import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startWorld();
  slack.world.setPerson('U1', { enterpriseUserId: 'W1' });
});
afterEach(() => slack.close());

const commandFrom = async () => (await slack.as('U1').command('/proxy'))?.body['user_id'];
const clickFrom = async () => {
  await call(slack, 'chat.postMessage', {
    channel: 'C1',
    text: 'card',
    blocks: [
      { type: 'actions', elements: [{ type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'Yes' } }] },
    ],
  });
  return (await slack.as('U1').pressOn(/Yes/, 'Yes'))?.body['user'];
};
const listed = async () => {
  const { users } = await call(slack, 'usergroups.users.list', { usergroup: 'S1' });
  const { usergroups } = await call(slack, 'usergroups.list', { include_users: true });
  expect(usergroups).toMatchObject([{ id: 'S1', users }]);
  return users;
};

test('by default everything carries the workspace id, and users.info gives both', async () => {
  expect([await commandFrom(), await clickFrom(), await listed()]).toMatchObject(['U1', { id: 'U1' }, ['U1']]);
  expect(await call(slack, 'users.info', { user: 'U1' })).toMatchObject({
    user: { id: 'U1', enterprise_user: { id: 'W1' } },
  });
});

test('actsAs: commands and interactions carry the one id, or half-way the other', async () => {
  slack.world.setPerson('U1', { actsAs: 'enterprise' });
  expect([await commandFrom(), await clickFrom(), await listed()]).toMatchObject(['W1', { id: 'W1' }, ['U1']]);
  expect((await call(slack, 'conversations.members', { channel: 'C1' }))['members']).toEqual([
    'W1',
    'U2',
    'U9',
    'U0BOT',
  ]);
  slack.world.setPerson('U1', { actsAs: 'workspace' });
  expect(await commandFrom()).toBe('U1');
});

test('listedAs: user groups hold the one id, or after a while the other; an event tells only of real changes', async () => {
  slack.world.setPerson('U1', { listedAs: 'enterprise' });
  expect([await commandFrom(), await listed()]).toEqual(['U1', ['W1']]);
  await slack.world.setGroup('S1', { members: ['W1', 'U2'] });
  expect(slack.deliveries.find(({ type }) => type === 'subteam_members_changed')?.body['event']).toMatchObject({
    added_users: ['U2'],
    removed_users: [],
  });
  slack.world.setPerson('U1', { listedAs: 'workspace' });
  expect(await listed()).toEqual(['U1', 'U2']);
});

test.each([
  ['asked', ['U1', 'W1']],
  ['workspace', ['U1', 'U1']],
  ['enterprise', ['W1', 'W1']],
] as const)('usersInfoId %s: what users.info calls the person', async (mode, ids) => {
  slack.settings.usersInfoId = mode;
  const idOf = async (user: string) => (await call(slack, 'users.info', { user }))['user'];
  expect([await idOf('U1'), await idOf('W1')]).toMatchObject(
    ids.map((id) => ({ id, name: 'ada', enterprise_user: { id: 'W1' } })),
  );
  expect(await idOf('U2')).toMatchObject({ id: 'U2' });
});

test('a person has one screen and one direct channel, by whichever id they are reached', async () => {
  const direct = async (users: string) => (await call(slack, 'conversations.open', { users }))['channel'];
  expect(await direct('W1')).toEqual(await direct('U1'));
  await call(slack, 'chat.postMessage', { channel: 'W1', text: 'hello <@W1>' });
  await call(slack, 'chat.postEphemeral', { channel: 'C1', user: 'W1', text: 'psst' });
  expect(slack.as('W1')).toBe(slack.as('U1'));
  expect(slack.as('U1').screen.dm).toHaveLength(1);
  expect(slack.as('U1').screen.ephemerals.filter(({ text }) => text === 'psst')).toHaveLength(1);
  expect(slack.as('U1').screen.text()).toContain('hello @ada');
});
