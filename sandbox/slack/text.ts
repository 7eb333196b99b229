import { foldedPart } from './fold.ts';
import { bareValue, inputKey, isEmpty, stateValue } from './inputs.ts';
import { type Dict, dictAt, dictsAt, isDict, listAt, shown, textAt, textOf } from './json.ts';
import { allOptions } from './limits/text.ts';
import { type Names, nameOf, readMrkdwn, unescaped } from './mrkdwn.ts';
import type { Message, StateValue, ViewRecord } from './types.ts';

interface Reading {
  names: Names | undefined;
  inputs: ViewRecord['inputs'];
  errors: ViewRecord['errors'];
  /** Slack folds long texts in messages, not in views. */
  folds: boolean;
}

/** What a person of this message sees only after "See more", text by text. */
export function foldedTexts({ blocks }: Pick<Message, 'blocks'>, names?: Names): string[] {
  return blocks.map((block) => foldedPart(block, readText(block['text'], names))).filter((text) => text !== '');
}

/** A view or a message as a person reads it: texts (also what is folded, with a mark), inputs with what they hold, buttons in [brackets]. */
export function renderText(thing: ViewRecord | Message, names?: Names): string {
  if ('ts' in thing) {
    const reading = { names, inputs: {}, errors: {}, folds: true };
    const seen =
      thing.blocks.length > 0
        ? thing.blocks.map((block) => readBlock(block, reading))
        : [readMrkdwn(thing.text, names)];
    const files = (thing.files ?? []).map(({ name, title }) => `[file: ${title}, ${name}]`);
    return [...seen, ...files].join('\n');
  }
  const reading = { names, inputs: thing.inputs, errors: thing.errors, folds: false };
  const buttons = [textOf(thing.close), textOf(thing.submit)].filter((text) => text !== '').map((text) => `[${text}]`);
  const lines = [
    ...(thing.title ? [`== ${textOf(thing.title)} ==`] : []),
    ...(thing.trouble ? [`! ${thing.trouble}`] : []),
    ...thing.blocks.map((block) => readBlock(block, reading)),
    ...(buttons.length > 0 ? [buttons.join(' ')] : []),
  ];
  return lines.join('\n');
}

/** A text object as a person reads it. */
export function readText(value: unknown, names?: Names): string {
  const text = textOf(value);
  return textAt(value, 'type') === 'mrkdwn' ? readMrkdwn(text, names) : unescaped(text);
}

function readBlock(block: Dict, reading: Reading): string {
  const { names } = reading;
  const element = (found: unknown) => (isDict(found) ? readElement(String(block['block_id']), found, reading) : '');
  switch (block['type']) {
    case 'divider':
      return '---';
    case 'header':
      return readText(block['text']);
    case 'section': {
      const parts = [dictAt(block, 'text'), ...dictsAt(block, 'fields')]
        .filter(isDict)
        .map((text) => readText(text, names));
      const isFolded = reading.folds && foldedPart(block, readText(block['text'], names)) !== '';
      return [parts.join('\n'), isFolded ? '… See more' : '', element(block['accessory'])]
        .filter((part) => part !== '')
        .join(' ');
    }
    case 'context':
    case 'actions':
      return dictsAt(block, 'elements').map(element).join(' ');
    case 'input':
      return readInput(block, reading);
    case 'image':
      return `(image: ${textAt(block, 'alt_text') ?? ''})`;
    case 'markdown':
      return textAt(block, 'text') ?? '';
    case 'table':
      return listAt(block, 'rows').map(readRow).join('\n');
    case 'rich_text':
      return readRichText(block);
    case 'data_visualization':
      return readChart(block);
    default:
      throw new Error(`unsupported block: ${String(block['type'])}`);
  }
}

function readInput(block: Dict, reading: Reading): string {
  const blockId = String(block['block_id']);
  const hint = textOf(block['hint']);
  const error = reading.errors[blockId];
  const label = `${textOf(block['label'])}${block['optional'] === true ? ' (optional)' : ''}`;
  const value = isDict(block['element']) ? readElement(blockId, block['element'], reading) : '';
  return [`${label}: ${value}`, ...(hint ? [`  ${hint}`] : []), ...(error ? [`  ! ${error}`] : [])].join('\n');
}

function readElement(blockId: string, element: Dict, { inputs, names }: Reading): string {
  const type = String(element['type']);
  switch (type) {
    case 'plain_text':
    case 'mrkdwn':
      return readText(element, names);
    case 'image':
      return `(image: ${textAt(element, 'alt_text') ?? ''})`;
    case 'button':
      return `[${textOf(element['text'])}]`;
  }
  const value = inputs[inputKey(blockId, String(element['action_id']))]?.value ?? stateValue(type, undefined);
  if (type === 'checkboxes') return readTicks(element, value, names);
  if (isEmpty(value)) return `(${textOf(element['placeholder']) || 'empty'})`;
  const bare = bareValue(value);
  if (Array.isArray(bare)) return bare.map((option) => textOf(dictAt(option, 'text'))).join(', ');
  if (isDict(bare)) return textOf(bare['text']);
  return (type === 'users_select' ? nameOf(String(bare), names) : undefined) ?? String(bare);
}

function readTicks(element: Dict, value: StateValue, names: Names | undefined): string {
  const chosen = [bareValue(value)].flat().map((option) => textAt(option, 'value'));
  return allOptions(element)
    .filter(isDict)
    .map((option) => {
      const about = readText(option['description'], names);
      const mark = chosen.includes(textAt(option, 'value')) ? '[x]' : '[ ]';
      return `${mark} ${readText(option['text'], names)}${about ? ` – ${about}` : ''}`;
    })
    .join(' ');
}

/** `(chart: Title; Balance: Nov 1 1000, Nov 2 968)`: as a screen reader tells it. */
export function readChart(block: Dict): string {
  const series = dictsAt(dictAt(block, 'chart'), 'series').map((one) => {
    const points = dictsAt(one, 'data').map(({ label, value }) => `${shown(label)} ${shown(value)}`);
    return `${textAt(one, 'name') ?? ''}: ${points.join(', ')}`;
  });
  return `(chart: ${[textAt(block, 'title') ?? '', ...series].join('; ')})`;
}

function readRow(row: unknown): string {
  return [row].flat().filter(isDict).map(readRichText).join(' | ');
}

/** Sections one beneath the other, pieces of text one after the other. */
function readRichText(value: Dict): string {
  if (['text', 'raw_text', 'raw_number'].includes(String(value['type']))) return textOf(value);
  return dictsAt(value, 'elements')
    .map(readRichText)
    .join(value['type'] === 'rich_text' ? '\n' : '');
}
