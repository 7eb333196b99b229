import { type Dict, dictsAt, isDict } from '../json.ts';
import { chartFields, fewCharts } from './chart.ts';
import { anything, boolean, byType, type Check, integer, list, object, string } from './check.ts';
import { image, inActions, inInput, inSection } from './elements.ts';
import { richTextElement } from './rich-text.ts';
import { oneTable, tableFields, tableWithinSize } from './table.ts';
import { anyText, plain } from './text.ts';

export type Surface = 'modal' | 'home' | 'message';

const base = { type: anything, block_id: string({ max: 255 }) };
const imageElement = byType({ image });
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
  table: object({ ...base, ...tableFields }, tableWithinSize),
  markdown: object({ ...base, 'text!': string({ max: 12_000 }) }),
  data_visualization: object({ ...base, ...chartFields }),
};

const FOR_MESSAGES = ['markdown', 'table', 'data_visualization'];
const EVERYWHERE = Object.keys(BLOCKS).filter((type) => !FOR_MESSAGES.includes(type));
/** A kind that is not confirmed for modals and Home counts as refused there: nothing may be built on it. */
const ON: Record<Surface, string[]> = {
  modal: EVERYWHERE,
  home: EVERYWHERE,
  message: [...EVERYWHERE, ...FOR_MESSAGES],
};
const MAX_BLOCKS: Record<Surface, number> = { modal: 100, home: 100, message: 50 };

/** Elements with an action_id that stand directly in this block. */
export function elementsOf(block: Dict): Dict[] {
  return [block['element'], block['accessory'], ...dictsAt(block, 'elements')].filter(isDict);
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
    oneTable(blocks, at, report);
    fewCharts(blocks, at, report);
    const elements = blocks.flatMap(elementsOf);
    if (elements.filter((element) => element['focus_on_load'] === true).length > 1)
      report(at, 'only one element may have focus_on_load');
  };
}

function duplicates(ids: unknown[]): string[] {
  const given = ids.filter((id) => typeof id === 'string');
  return [...new Set(given.filter((id, index) => given.indexOf(id) !== index))];
}
