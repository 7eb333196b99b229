import { type Core, Refused, violate } from '../core.ts';
import { type Dict, dictsAt, isDict } from '../json.ts';
import { checkBlocks, type Surface } from './blocks.ts';
import { isChart } from './chart.ts';
import { boolean, type Check, list, object, oneOf, type Problem, problemsOf, type Report, string } from './check.ts';
import { oneSourceOfOptions, optionGroup, plain, plainOption } from './text.ts';

/** Slack says "250 kB"; the smaller reading. */
const VIEW_BYTES_MAX = 250_000;
/** Undocumented; rejections were seen from 11,341 characters on (slack.md 1.3). */
const BLOCKS_TEXT_MAX = 10_000;
const MESSAGE_TEXT_MAX = 40_000;

const common = {
  private_metadata: string({ min: 0, max: 3000 }),
  callback_id: string({ min: 0, max: 255 }),
  external_id: string({ min: 0, max: 255 }),
};

function submitWithInputs(value: Dict, at: string, report: Report): void {
  const blocks = Array.isArray(value['blocks']) ? value['blocks'] : [];
  if (value['submit'] === undefined && blocks.some((block) => isDict(block) && block['type'] === 'input'))
    report(at, 'missing required field: submit (the view contains an input block)');
}

const VIEWS: Record<'modal' | 'home', Check> = {
  modal: object(
    {
      'type!': oneOf('modal'),
      'title!': plain(24),
      'blocks!': checkBlocks('modal'),
      submit: plain(24),
      close: plain(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
      ...common,
    },
    submitWithInputs,
  ),
  home: object({ 'type!': oneOf('home'), 'blocks!': checkBlocks('home'), ...common }),
};

const OPTIONS: Check = object(
  { options: list(plainOption, { max: 100 }), option_groups: list(optionGroup, { max: 100 }) },
  oneSourceOfOptions,
);

const pointers = (problems: Problem[]) => problems.map(({ at, says }) => `[ERROR] ${says} [json-pointer:${at}]`);

/** Every refusal of a payload goes through here: recorded for the test, then answered as Slack answers. */
function refuse(core: Core, where: string, code: string, payload: unknown, messages: string[] = []): never {
  violate(core, messages.length > 0 ? `${code}: ${messages.join('; ')}` : code, where, payload);
  throw new Refused(code, messages.length > 0 ? { errors: messages, response_metadata: { messages } } : {});
}

export function requireView(core: Core, view: unknown, type: 'modal' | 'home', where: string): Dict {
  const problems = problemsOf(VIEWS[type], view, '/view');
  if (problems.length > 0 || !isDict(view)) refuse(core, where, 'invalid_arguments', view, pointers(problems));
  if (Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES_MAX) refuse(core, where, 'view_too_large', view);
  return view;
}

export function requireBlocks(core: Core, blocks: unknown, surface: Surface, where: string): Dict[] {
  // No violation: the app cannot know it beforehand.
  const charts = core.settings.takesCharts ? -1 : dictsAt({ blocks }, 'blocks').findIndex(isChart);
  if (charts !== -1) {
    const messages = pointers([{ at: `/blocks/${charts}/type`, says: 'unsupported type: data_visualization' }]);
    throw new Refused('invalid_blocks', { errors: messages, response_metadata: { messages } });
  }
  const problems = problemsOf(checkBlocks(surface), blocks, '/blocks');
  if (problems.length > 0 || !Array.isArray(blocks)) refuse(core, where, 'invalid_blocks', blocks, pointers(problems));
  if (textLength(blocks) > BLOCKS_TEXT_MAX) refuse(core, where, 'msg_blocks_too_long', blocks);
  return blocks;
}

/** The content of a message, wherever it comes from: the API, an acknowledgement, a response_url. */
export function requireContent(core: Core, payload: Dict, where: string): { text: string; blocks: Dict[] } {
  const { text = '', blocks = [] } = payload;
  if (payload['attachments'] !== undefined)
    refuse(core, where, 'invalid_attachments', payload, ['attachments are not part of this sandbox']);
  if (typeof text !== 'string')
    refuse(core, where, 'invalid_arguments', payload, ['[ERROR] must provide a string [json-pointer:/text]']);
  if (text.length > MESSAGE_TEXT_MAX) refuse(core, where, 'msg_too_long', payload);
  const checked = requireBlocks(core, blocks, 'message', where);
  if (text.trim() === '' && checked.length === 0) refuse(core, where, 'no_text', payload);
  return { text, blocks: checked };
}

export function requireOptions(core: Core, answer: unknown, where: string): Dict {
  const problems = problemsOf(OPTIONS, answer, '');
  if (problems.length > 0 || !isDict(answer)) refuse(core, where, 'invalid_options', answer, pointers(problems));
  return answer;
}

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + textLength(entry), 0);
  if (!isDict(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, entry]) => sum + (key === 'text' && typeof entry === 'string' ? entry.length : textLength(entry)),
    0,
  );
}
