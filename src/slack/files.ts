import type { WebClient } from '@slack/web-api';
import type { Files, NewFile, PutFile, Uploaded } from '../purchasing/ports/files.ts';
import type { Recipient, Undelivered } from '../purchasing/ports/messenger.ts';
import { directChannel, undelivered } from './messenger.ts';

/** The bytes go to an address of their own, by a request that the client knows nothing of. */
const BYTES_WITHIN_MS = 20_000;

export class SlackFiles implements Files {
  /** Without retries of its own. */
  readonly #client: WebClient;

  constructor(client: WebClient) {
    this.#client = client;
  }

  async share(to: Recipient, file: NewFile, words: string): Promise<Uploaded> {
    const put = await this.put(file);
    return 'fileId' in put ? this.sharePut(to, [put], words) : put;
  }

  async put(file: NewFile): Promise<PutFile | Undelivered> {
    try {
      return { fileId: await this.#send(file), title: file.title };
    } catch (error) {
      return undelivered(error);
    }
  }

  async sharePut(to: Recipient, files: readonly PutFile[], words: string): Promise<Uploaded> {
    const [first, ...others] = files.map(({ fileId: id, title }) => ({ id, title }));
    if (!first) throw new Error('nothing to share');
    try {
      // Unlike a message, a file is not taken for a person: only for a channel.
      const channel_id = 'channel' in to ? to.channel : await directChannel(this.#client, to.user);
      const thread = 'channel' in to && to.thread ? { thread_ts: to.thread.ts } : {};
      await this.#client.files.completeUploadExternal({
        files: [first, ...others],
        channel_id,
        initial_comment: words,
        ...thread,
      });
      return { fileId: first.id };
    } catch (error) {
      return undelivered(error);
    }
  }

  async upload(file: NewFile): Promise<Uploaded> {
    try {
      const fileId = await this.#send(file);
      await this.#client.files.completeUploadExternal({ files: [{ id: fileId, title: file.title }] });
      return { fileId };
    } catch (error) {
      return undelivered(error);
    }
  }

  /** The bytes alone; a file that is not completed nobody ever sees, and Slack drops it. */
  async #send({ name, content, altText }: NewFile): Promise<string> {
    const { upload_url, file_id } = await this.#client.files.getUploadURLExternal({
      filename: name,
      length: content.byteLength,
      ...(altText === undefined ? {} : { alt_txt: altText }),
    });
    if (!upload_url || !file_id) throw new Error('files.getUploadURLExternal named no place');
    const sent = await fetch(upload_url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      // A copy of its own: a view of shared memory is no body.
      body: Uint8Array.from(content),
      redirect: 'error',
      signal: AbortSignal.timeout(BYTES_WITHIN_MS),
    });
    await sent.body?.cancel();
    if (!sent.ok) throw new Error(`the file was answered with status ${sent.status}`);
    return file_id;
  }
}
