import { type Dict, dictsAt, isDict } from '../json.ts';
import {
  anything,
  boolean,
  byType,
  type Check,
  integer,
  list,
  number,
  object,
  oneOf,
  type Report,
  string,
} from './check.ts';
import { buttonOnly, image, inActions, inContextActions, inInput, inSection } from './elements.ts';
import { richText, richTextElement } from './rich-text.ts';
import { anyText, mrkdwn, plain } from './text.ts';

export type Surface = 'modal' | 'home' | 'message';

const base = { type: anything, block_id: string({ max: 255 }) };
const imageElement = byType({ image });
const cell = byType({
  raw_text: object({ type: anything, 'text!': string() }),
  raw_number: object({ type: anything, 'value!': number, 'text!': string() }),
  rich_text: richText,
});
const card = object({
  ...base,
  hero_image: imageElement,
  icon: imageElement,
  title: mrkdwn(150),
  subtitle: mrkdwn(150),
  body: mrkdwn(200),
  actions: list(buttonOnly, { min: 1, max: 5 }),
});
const taskCard = object({
  ...base,
  'task_id!': string(),
  'title!': string(),
  details: richText,
  output: richText,
  sources: list(object({ type: oneOf('url'), 'url!': string(), 'text!': string() })),
  'status!': oneOf('pending', 'in_progress', 'complete', 'error'),
});

function sameWidth(value: Dict, at: string, report: Report): void {
  const rows = Array.isArray(value['rows']) ? value['rows'] : [];
  const widths = new Set(rows.map((row) => (Array.isArray(row) ? row.length : -1)));
  if (widths.size > 1) report(`${at}/rows`, 'every row must have the same number of cells');
}

const BLOCKS: Record<string, Check> = {
  actions: object({ ...base, 'elements!': list(inActions, { min: 1, max: 25 }) }),
  context: object({
    ...base,
    'elements!': list(
      (value, at, report) =>
        (isDict(value) && value['type'] === 'image' ? imageElement : anyText(3000))(value, at, report),
      { min: 1, max: 10 },
    ),
  }),
  context_actions: object({ ...base, 'elements!': list(inContextActions, { min: 1, max: 5 }) }),
  divider: object(base),
  header: object({ ...base, 'text!': plain(150), level: integer(1, 6) }),
  section: object(
    {
      ...base,
      text: anyText(3000),
      fields: list(anyText(2000), { min: 1, max: 10 }),
      accessory: inSection,
      expand: boolean,
    },
    (value, at, report) => {
      if (value['text'] === undefined && value['fields'] === undefined)
        report(at, 'missing required field: text or fields');
    },
  ),
  input: object({
    ...base,
    'label!': plain(2000),
    hint: plain(2000),
    'element!': inInput,
    optional: boolean,
    dispatch_action: boolean,
  }),
  image: (value, at, report) => {
    const { title, block_id, ...rest } = isDict(value) ? value : {};
    if (title !== undefined) plain(2000)(title, `${at}/title`, report);
    if (block_id !== undefined) base.block_id(block_id, `${at}/block_id`, report);
    image(rest, at, report);
  },
  rich_text: object({ ...base, 'elements!': list(richTextElement, { min: 1 }) }),
  markdown: object({ ...base, 'text!': string({ max: 12_000 }) }),
  video: object({
    ...base,
    'video_url!': string(),
    'thumbnail_url!': string(),
    'alt_text!': string(),
    'title!': plain(199),
    title_url: string(),
    author_name: string({ max: 49 }),
    provider_name: string(),
    provider_icon_url: string(),
    description: plain(199),
  }),
  file: object({ ...base, 'source!': oneOf('remote'), 'external_id!': string() }),
  alert: object({ ...base, 'text!': anyText(200), level: oneOf('default', 'info', 'warning', 'error', 'success') }),
  table: object({
    ...base,
    'rows!': list(list(cell, { min: 1, max: 20 }), { min: 1, max: 100 }),
    column_settings: list(object({ align: oneOf('left', 'center', 'right'), is_wrapped: boolean }), { max: 20 }),
  }),
  data_table: object(
    {
      ...base,
      'rows!': list(list(cell, { min: 1, max: 20 }), { min: 2, max: 101 }),
      'caption!': string(),
      page_size: integer(1, 100),
      row_header_column_index: integer(0, 19),
    },
    sameWidth,
  ),
  card,
  carousel: object({ ...base, 'elements!': list(byType({ card }), { min: 1, max: 10 }) }),
  task_card: taskCard,
  plan: object({ ...base, 'title!': string(), tasks: list(byType({ task_card: taskCard })) }),
};

const IN_CONTAINER = [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
];
BLOCKS['container'] = object({
  ...base,
  title: plain(150),
  rich_text_title: richText,
  subtitle: anyText(150),
  'child_blocks!': list(byType(BLOCKS, IN_CONTAINER), { min: 1, max: 10 }),
  width: oneOf('narrow', 'standard', 'wide', 'full'),
  icon: imageElement,
  is_collapsible: boolean,
  default_collapsed: boolean,
  has_header_divider: boolean,
});

const EVERYWHERE = [
  'actions',
  'context',
  'divider',
  'header',
  'section',
  'input',
  'image',
  'rich_text',
  'video',
  'card',
];
/** Kinds not confirmed for modals and Home (slack.md 1.3) count as refused there: nothing may be built on them. */
const ON: Record<Surface, string[]> = {
  modal: [...EVERYWHERE, 'alert'],
  home: [...EVERYWHERE, 'carousel'],
  message: EVERYWHERE.concat(
    ['carousel', 'container', 'context_actions', 'markdown', 'file'],
    ['table', 'data_table', 'plan', 'task_card'],
  ),
};
const MAX_BLOCKS: Record<Surface, number> = { modal: 100, home: 100, message: 50 };

/** Elements with an action_id that stand directly in this block. */
export function elementsOf(block: Dict): Dict[] {
  const single = [block['element'], block['accessory']].filter(isDict);
  return [...single, ...dictsAt(block, 'elements'), ...dictsAt(block, 'actions')];
}

export function checkBlocks(surface: Surface): Check {
  const each = list(byType(BLOCKS, ON[surface]), { max: MAX_BLOCKS[surface] });
  return (value, at, report) => {
    each(value, at, report);
    if (!Array.isArray(value)) return;
    const blocks = value.filter(isDict);
    duplicates(blocks.map((block) => block['block_id'])).forEach((id) => {
      report(at, `block_id must be unique: ${id}`);
    });
    blocks.forEach((block, index) => {
      for (const id of duplicates(elementsOf(block).map((element) => element['action_id'])))
        report(`${at}/${index}`, `action_id must be unique within the block: ${id}`);
    });
    const elements = blocks.flatMap(elementsOf);
    if (elements.filter((element) => element['focus_on_load'] === true).length > 1)
      report(at, 'only one element may have focus_on_load');
    if (blocks.filter((block) => block['type'] === 'table').length > 1) report(at, 'only one table allowed');
  };
}

function duplicates(ids: unknown[]): string[] {
  const given = ids.filter((id) => typeof id === 'string');
  return [...new Set(given.filter((id, index) => given.indexOf(id) !== index))];
}
