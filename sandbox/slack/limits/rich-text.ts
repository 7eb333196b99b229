import { anything, boolean, byType, type Check, integer, list, number, object, oneOf, string } from './check.ts';

const style = object({
  bold: boolean,
  italic: boolean,
  strike: boolean,
  code: boolean,
  underline: boolean,
  highlight: boolean,
  client_highlight: boolean,
  unlink: boolean,
});
const type: Check = anything;

const inline = byType({
  text: object({ type, 'text!': string(), style }),
  link: object({ type, 'url!': string({ max: 3000 }), text: string(), unsafe: boolean, style }),
  user: object({ type, 'user_id!': string(), style }),
  usergroup: object({ type, 'usergroup_id!': string(), style }),
  broadcast: object({ type, 'range!': oneOf('here', 'channel', 'everyone'), style }),
  channel: object({ type, 'channel_id!': string(), style }),
  team: object({ type, 'team_id!': string(), style }),
  emoji: object({ type, 'name!': string(), unicode: string(), url: string(), style }),
  color: object({ type, 'value!': string(), style }),
  date: object({ type, 'timestamp!': number, 'format!': string(), url: string(), fallback: string(), style }),
});

const section = object({ type, 'elements!': list(inline) });
const border = integer(0, 1);

export const richTextElement: Check = byType({
  rich_text_section: section,
  rich_text_list: object({
    type,
    'elements!': list(byType({ rich_text_section: section }), { min: 1 }),
    'style!': oneOf('bullet', 'ordered'),
    indent: integer(0, 8),
    offset: integer(0, 1_000_000),
    border,
  }),
  rich_text_quote: object({ type, 'elements!': list(inline), border }),
  rich_text_preformatted: object({ type, 'elements!': list(inline), border, language: string() }),
});

export const richText: Check = byType({
  rich_text: object({ type, block_id: string({ max: 255 }), 'elements!': list(richTextElement, { min: 1 }) }),
});
