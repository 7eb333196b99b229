import type { types } from '@slack/bolt';
import { modal, section } from './blocks.ts';
import { CALLBACK } from './ids.ts';

/** Opened at once, since a trigger lives for three seconds; what takes longer follows by an update. */
export function loading(title: string): types.ModalView {
  return modal({ callback: CALLBACK.plain, title, blocks: [section('One moment…')] });
}

/** A view that says one thing and offers nothing. @param sentence mrkdwn of ours */
export function sentenceView(title: string, sentence: string): types.ModalView {
  return modal({ callback: CALLBACK.plain, title, blocks: [section(sentence)] });
}
