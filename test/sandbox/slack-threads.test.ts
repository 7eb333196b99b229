import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalSlack } from '../../sandbox/slack/index.ts';
import { startWorld } from './slack-bolt.ts';
import { call } from './slack-client.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startWorld();
});
afterEach(() => slack.close());

async function post(text: string, more: object = {}) {
  const answer = await call(slack, 'chat.postMessage', { channel: 'C1', text, ...more });
  return { ...answer, channel: 'C1', ts: String(answer['ts']) };
}
const texts = (messages: readonly { text: string }[] | undefined) => (messages ?? []).map(({ text }) => text);
const now = () => slack.as('U1').screen;

test('a reply stands under its message and not in the channel, unless it is broadcast', async () => {
  const first = await post('Approve?');
  expect(await post('Which plan?', { thread_ts: first.ts })).toMatchObject({ message: { thread_ts: first.ts } });
  await post('Reminder', { thread_ts: first.ts, reply_broadcast: true });
  expect(texts(now().channels['approvals'])).toEqual(['Approve?', 'Reminder']);
  expect(texts(now().replies(first))).toEqual(['Which plan?', 'Reminder']);
  expect(now().text()).toContain('Approve?\n  ↳ Which plan?\n  ↳ Reminder');
  expect(slack.as('U1').message('Which plan?').threadTs).toBe(first.ts);
});

test('a click under a message in a thread tells the thread', async () => {
  const first = await post('Approve?');
  const element = { type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'Yes' } };
  await post('x', { thread_ts: first.ts, blocks: [{ type: 'actions', elements: [element] }] });
  const ada = slack.as('U1');
  const body = (button: string) => ada.pressOn(/Yes/, button).then((delivery) => delivery?.body);
  expect(await body('Yes')).toMatchObject({
    container: { thread_ts: first.ts },
    message: { thread_ts: first.ts },
  });
});

test('people answer in a thread, of which the app hears nothing; its first message counts the replies', async () => {
  const first = await post('Which plan?');
  slack.as('U2').say('The monthly one', { thread: first });
  expect(texts(now().replies(first))).toEqual(['The monthly one']);
  expect(slack.deliveries).toEqual([]);
  const edited = await call(slack, 'chat.update', { channel: 'C1', ts: first.ts, text: 'Which plan then?' });
  expect(edited['message']).toMatchObject({ thread_ts: first.ts, reply_count: 1, reply_users: ['U2'] });
  const theirs = slack.as('U1').message('The monthly one');
  expect((await call(slack, 'chat.update', { channel: 'C1', ts: theirs.ts, text: 'x' })).error).toBe(
    'cant_update_message',
  );
});

test('where the first message is gone a reply becomes a message of the channel, and the answer lacks thread_ts', async () => {
  const first = await post('Soon gone');
  slack.world.deleteMessage(first);
  const late = await post('Too late', { thread_ts: first.ts });
  expect(late).toMatchObject({ ok: true });
  expect(late['message' as keyof typeof late]).not.toHaveProperty('thread_ts');
  expect(texts(now().channels['approvals'])).toEqual(['Too late']);
  expect(await post('Never there', { thread_ts: '1700000000.000001' })).toMatchObject({ ok: true });
  expect(texts(now().channels['approvals'])).toEqual(['Too late', 'Never there']);
});

test('a deleted message with replies leaves its thread', async () => {
  const first = await post('Soon gone');
  await post('Kept', { thread_ts: first.ts });
  slack.world.deleteMessage(first);
  await post('Also kept', { thread_ts: first.ts });
  expect(texts(now().replies(first))).toEqual(['Kept', 'Also kept']);
});

test('what is no ts is refused, and the ts of a reply is recorded', async () => {
  const first = await post('Approve?');
  const reply = await post('Which plan?', { thread_ts: first.ts });
  expect(await post('x', { thread_ts: '0' })).toMatchObject({ ok: false, error: 'invalid_thread_ts' });
  await post('The monthly one', { thread_ts: reply.ts });
  expect(slack.takeViolations()).toMatchObject([{ where: 'chat.postMessage' }]);
  expect(texts(now().replies(first))).toEqual(['Which plan?', 'The monthly one']);
});

test('a private answer in a thread stands there for one person alone', async () => {
  const first = await post('Approve?');
  await call(slack, 'chat.postEphemeral', { channel: 'C1', user: 'U1', text: 'Noted', thread_ts: first.ts });
  expect(now().ephemerals).toMatchObject([{ text: 'Noted', threadTs: first.ts }]);
  expect(slack.as('U2').screen.ephemerals).toEqual([]);
});
