import { describe, expect, it } from 'vitest';
import { type LocalSlack, startSlack } from '../../sandbox/slack/index.ts';
import { closeAfterwards } from '../support/afterwards.ts';

const CONTENT = 'a,b\r\n1,2\r\n';

async function withSlack() {
  const slack = closeAfterwards(
    await startSlack({
      people: [{ id: 'U1', name: 'ada' }],
      channels: [
        { id: 'C1', name: 'one', members: ['U1'] },
        { id: 'C2', name: 'two', hasBot: false },
      ],
    }),
  );
  const call = async (method: string, args: Readonly<Record<string, string>>) => {
    const headers = { authorization: `Bearer ${slack.tokens.bot}` };
    const answer = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(args),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const send = async (url: string, body: string) => (await fetch(url, { method: 'POST', body })).status;
  const begin = () => call('files.getUploadURLExternal', { filename: 'a.csv', length: String(CONTENT.length) });
  const complete = (id: string | undefined, more = {}) =>
    call('files.completeUploadExternal', { files: JSON.stringify([{ id, title: 'A' }]), ...more });
  return { slack, call, send, begin, complete };
}

const seenBy = (slack: LocalSlack) => slack.as('U1').screen.text();

describe('files', () => {
  it('come in three steps, and are seen after the last', async () => {
    const { slack, send, begin, complete } = await withSlack();
    const { upload_url = '', file_id } = await begin();
    expect(await send(upload_url, CONTENT)).toBe(200);
    expect(seenBy(slack)).not.toContain('[file:');
    expect(await complete(file_id, { channel_id: 'C1', initial_comment: 'here' })).toMatchObject({ ok: true });
    expect(seenBy(slack)).toContain('here\n[file: A, a.csv]');
    expect(String(slack.files.get(file_id ?? '')?.bytes)).toBe(CONTENT);
    // Once.
    expect(await complete(file_id, { channel_id: 'C1' })).toMatchObject({ error: 'file_not_found' });
    expect(await send(upload_url, CONTENT)).toBe(404);
  });

  it('are refused with other bytes than announced, without any, for a person, and where the app is not', async () => {
    const { slack, call, send, begin, complete } = await withSlack();
    const { upload_url = '', file_id } = await begin();
    expect(await complete(file_id)).toMatchObject({ error: 'file_not_found' });
    expect(await send(upload_url, `${CONTENT}x`)).toBe(400);
    await send(upload_url, CONTENT);
    expect(await complete(file_id, { channel_id: 'U1' })).toMatchObject({ error: 'invalid_channel' });
    expect(await complete(file_id, { channel_id: 'C2' })).toMatchObject({ error: 'not_in_channel' });
    expect(await complete(file_id)).toMatchObject({ ok: true });
    slack.settings.scopes = slack.settings.scopes.filter((scope) => scope !== 'files:write');
    expect(await call('files.getUploadURLExternal', { filename: 'a', length: '1' })).toMatchObject({
      error: 'missing_scope',
      needed: 'files:write',
    });
  });
});
