import type { types } from '@slack/bolt';
import type { Message } from '../src/purchasing/ports/messenger.ts';
import { CALLBACK } from './ids.ts';
import { literal, plain } from './text.ts';

export type Block = types.KnownBlock;

/** A message with blocks that Slack takes. Send it with `unfurl_links: false`. */
export interface DrawnMessage extends Message {
  readonly blocks: Block[];
}

/** Verbatim, or Slack makes links of bare domains and channel names in what people typed. */
function mrkdwn(text: string): types.MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** `expand`: Slack hides long texts behind "See more" otherwise, and an approver would decide on half of the evidence. */
const UNFOLDED = { type: 'section', expand: true } as const;

/** One of our own sentences; foreign text in it has gone through `literal`. */
export function section(text: string, accessory?: types.Button): Block {
  return { ...UNFOLDED, text: mrkdwn(text), ...(accessory ? { accessory } : {}) };
}

/** Foreign text in a block of its own. */
export function foreign(text: types.PlainTextElement): Block {
  return { ...UNFOLDED, text };
}

/** A bold label over each text; at most ten. */
export function fields(labelled: readonly (readonly [label: string, text: string])[]): Block {
  return { ...UNFOLDED, fields: labelled.map(([label, text]) => mrkdwn(`*${label}*\n${text}`)) };
}

export function context(text: string): Block {
  return { type: 'context', elements: [mrkdwn(text)] };
}

/** The title of what follows. */
export function header(text: string): Block {
  return { type: 'header', text: plain(text, 150) };
}

/** @param value the id of a purchase or row, where the button is about one */
export function button(text: string, action_id: string, value?: string, style?: 'primary' | 'danger'): types.Button {
  return { type: 'button', text: plain(text, 75), action_id, ...(value ? { value } : {}), ...(style ? { style } : {}) };
}

/** A button that asks before it acts. */
export function confirmed(
  pressed: types.Button,
  ask: { readonly title: string; readonly text: string; readonly yes: string; readonly no: string },
): types.Button {
  return {
    ...pressed,
    confirm: {
      title: plain(ask.title, 100),
      text: plain(ask.text, 300),
      confirm: plain(ask.yes, 30),
      deny: plain(ask.no, 30),
    },
  };
}

/** Beside buttons: does what it says as soon as something is chosen. @param options each with an id */
export function selectNow(
  text: string,
  action_id: string,
  options: readonly { readonly text: string; readonly value: string }[],
): types.StaticSelect {
  return {
    type: 'static_select',
    action_id,
    placeholder: plain(text, 150),
    options: options.map((option) => ({ text: plain(option.text, 75), value: option.value })),
  };
}

/** Nothing at all without any, since Slack refuses an empty row. */
export function actions(
  elements: readonly (types.Button | types.StaticSelect | types.ExternalSelect)[],
  block_id?: string,
): Block[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements], ...(block_id ? { block_id } : {}) }];
}

/** One sentence as a whole message. Notifications show its first characters. */
export function says(text: string): DrawnMessage {
  return { text, blocks: [section(text)] };
}

/** Below Slack's 3,000 of a section. */
const LONGEST_SECTION = 2_900;

/** `lines` that are there, one under the other, in as few sections as hold them; nothing where none is. */
export function paragraph(lines: readonly (string | null)[]): Block[] {
  const sections: string[] = [];
  for (const line of lines) {
    if (line === null) continue;
    const joined = sections.length === 0 ? line : `${sections.at(-1)}\n${line}`;
    if (sections.length === 0 || joined.length > LONGEST_SECTION) sections.push(line);
    else sections[sections.length - 1] = joined;
  }
  return sections.map((text) => section(text));
}

/** In a message, beside some blocks more: Slack takes 50, and about 10,000 characters. What is no text of these adds about as many again. */
const BLOCKS_OF_LIST = 42;
const LONGEST_LIST = 18_000;

/** The first of these parts, as many as a message holds. */
export function fitting(
  parts: readonly (readonly Block[])[],
  atMost: number,
  blocks = BLOCKS_OF_LIST,
): readonly (readonly Block[])[] {
  let [count, length] = [0, 0];
  return parts.slice(0, atMost).filter((part) => {
    count += part.length;
    length += JSON.stringify(part).length;
    return count <= blocks && length <= LONGEST_LIST;
  });
}

/** At the top of a form: what must be mended before it can go on. */
export function problemsBlock(problems: readonly string[]): Block[] {
  return paragraph(problems.map((problem) => `⚠️ ${literal(problem, 500)}`));
}

export interface Modal {
  readonly callback: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly draftId?: string;
  readonly submit?: string;
  readonly close?: string;
  readonly clearOnClose?: boolean;
  /** An id of ours, new for each view: Slack finds the view by it before it has told us its own. */
  readonly externalId?: string;
}

export function modal(view: Modal): types.ModalView {
  return {
    type: 'modal',
    callback_id: view.callback,
    title: plain(view.title, 24),
    close: plain(view.close ?? 'Close', 24),
    blocks: [...view.blocks],
    ...(view.submit === undefined ? {} : { submit: plain(view.submit, 24) }),
    ...(view.draftId === undefined ? {} : { private_metadata: view.draftId }),
    ...(view.clearOnClose ? { clear_on_close: true } : {}),
    ...(view.externalId === undefined ? {} : { external_id: view.externalId }),
  };
}

/** Opened at once, since a trigger lives for three seconds; what takes longer follows by an update. */
export function loading(title: string): types.ModalView {
  return modal({ callback: CALLBACK.plain, title, blocks: [section('One moment…')] });
}

/** A view that says one thing and offers nothing. @param sentence mrkdwn of ours @param close says what lies beneath */
export function sentenceView(title: string, sentence: string, close?: string): types.ModalView {
  return modal({ callback: CALLBACK.plain, title, blocks: [section(sentence)], ...(close ? { close } : {}) });
}
