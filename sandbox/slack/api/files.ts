import { Refused } from '../core.ts';
import { type Dict, dictsAt, textAt } from '../json.ts';
import { postMessage } from '../messages.ts';
import { threadFor } from '../threads.ts';
import { postable } from './chat.ts';
import { type Method, required } from './method.ts';

const method = (run: Method['run']): Method => ({ token: 'bot', scopes: ['files:write'], tier: 4, run });

const ALT_TEXT_MAX = 1_000;

export const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': method((core, args) => {
    const name = required(args, 'filename');
    const length = Number(required(args, 'length'));
    if (!Number.isInteger(length) || length <= 0) throw new Refused('invalid_arguments');
    const altText = textAt(args, 'alt_txt') ?? '';
    if (altText.length > ALT_TEXT_MAX) throw new Refused('alt_txt_too_large');
    const id = core.ids.next('F0');
    core.files.set(id, { id, name, title: name, altText, length, bytes: null, completed: false });
    return { upload_url: `${core.origin}/upload/${id}`, file_id: id };
  }),
  'files.completeUploadExternal': method((core, args) => {
    const asked = dictsAt(args, 'files');
    if (asked.length === 0) throw new Refused('invalid_arguments');
    const files = asked.map((given: Dict) => {
      const file = core.files.get(textAt(given, 'id') ?? '');
      if (!file?.bytes || file.completed) throw new Refused('file_not_found');
      return { file, title: textAt(given, 'title') ?? file.name };
    });
    const to = textAt(args, 'channel_id');
    // Unlike chat.postMessage it takes no person for a channel.
    if (to !== undefined && !/^[CGD]/.test(to)) throw new Refused('invalid_channel');
    const channel = to === undefined ? undefined : postable(core, to);
    for (const { file, title } of files) Object.assign(file, { title, completed: true });
    if (channel !== undefined)
      postMessage(core, {
        channel,
        text: textAt(args, 'initial_comment') ?? '',
        blocks: [],
        threadTs: threadFor(core, channel, textAt(args, 'thread_ts'), 'files.completeUploadExternal'),
        files: files.map(({ file: { id, name, title } }) => ({ id, name, title })),
      });
    return { files: files.map(({ file: { id, title } }) => ({ id, title })) };
  }),
};
