import { bareValue, inputKey, isEmpty, stateValue } from './inputs.ts';
import { type Dict, dictAt, dictsAt, isDict, listAt, textAt, textOf } from './json.ts';
import { allOptions } from './limits/text.ts';
import { type Names, nameOf, readMrkdwn, unescaped } from './mrkdwn.ts';
import type { Message, StateValue, ViewRecord } from './types.ts';

interface Reading {
  names: Names | undefined;
  inputs: ViewRecord['inputs'];
  errors: ViewRecord['errors'];
}

/** A view or a message as a person reads it: texts, inputs with what they hold, buttons in [brackets]. */
export function renderText(thing: ViewRecord | Message, names?: Names): string {
  if ('ts' in thing) {
    const reading = { names, inputs: {}, errors: {} };
    const shown =
      thing.blocks.length > 0
        ? thing.blocks.map((block) => readBlock(block, reading))
        : [readMrkdwn(thing.text, names)];
    return shown.join('\n');
  }
  const reading = { names, inputs: thing.inputs, errors: thing.errors };
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
      return [parts.join('\n'), element(block['accessory'])].filter((part) => part !== '').join(' ');
    }
    case 'context':
    case 'actions':
    case 'context_actions':
      return dictsAt(block, 'elements').map(element).join(' ');
    case 'input':
      return readInput(block, reading);
    case 'image':
      return `(image: ${textAt(block, 'alt_text') ?? ''})`;
    case 'alert':
      return `(!) ${readText(block['text'], names)}`;
    case 'markdown':
      return textAt(block, 'text') ?? '';
    case 'rich_text':
      return readRichText(block, names);
    case 'table':
    case 'data_table':
      return listAt(block, 'rows')
        .map((row) =>
          Array.isArray(row)
            ? row
                .map((cell) => (textAt(cell, 'type') === 'rich_text' ? readRichText(cell, names) : textOf(cell)))
                .join(' | ')
            : '',
        )
        .join('\n');
    case 'card':
      return [
        ...['title', 'subtitle', 'body'].map((name) => readText(block[name], names)),
        ...dictsAt(block, 'actions').map(element),
      ]
        .filter((part) => part !== '')
        .join('\n');
    case 'carousel':
      return dictsAt(block, 'elements')
        .map((card) => readBlock(card, reading))
        .join('\n');
    case 'container':
      return [
        readText(block['title']),
        ...dictsAt(block, 'child_blocks').map((child) => readBlock(child, reading)),
      ].join('\n');
    default:
      return `(block not drawn here: ${String(block['type'])})`;
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
    case 'workflow_button':
    case 'icon_button':
      return `[${textOf(element['text'])}]`;
    case 'overflow':
      return `[… ${allOptions(element)
        .map((option) => textOf(dictAt(option, 'text')))
        .join(' / ')}]`;
  }
  const value = inputs[inputKey(blockId, String(element['action_id']))]?.value ?? stateValue(type, undefined);
  if (type === 'checkboxes' || type === 'radio_buttons') return readChoices(element, value, names);
  if (isEmpty(value)) return `(${textOf(element['placeholder']) || 'empty'})`;
  return readValue(bareValue(value));
}

function readChoices(element: Dict, value: StateValue, names: Names | undefined): string {
  const chosen = [bareValue(value)].flat().map((option) => textAt(option, 'value'));
  const mark = element['type'] === 'checkboxes' ? ['[x]', '[ ]'] : ['(•)', '( )'];
  return allOptions(element)
    .filter(isDict)
    .map((option) => {
      const about = readText(option['description'], names);
      return `${chosen.includes(textAt(option, 'value')) ? mark[0] : mark[1]} ${readText(option['text'], names)}${about ? ` – ${about}` : ''}`;
    })
    .join(' ');
}

function readValue(bare: unknown): string {
  if (Array.isArray(bare)) return bare.map(readValue).join(', ');
  return isDict(bare) ? textOf(bare['text']) : String(bare);
}

function readRichText(value: unknown, names: Names | undefined): string {
  if (!isDict(value)) return '';
  switch (value['type']) {
    case 'text':
      return textOf(value);
    case 'link':
      return textOf(value) || String(value['url']);
    case 'user':
      return `@${nameOf(String(value['user_id']), names) ?? String(value['user_id'])}`;
    case 'usergroup':
      return `@${names?.groups[String(value['usergroup_id'])]?.handle ?? String(value['usergroup_id'])}`;
    case 'broadcast':
      return `@${String(value['range'])}`;
    case 'channel':
      return `#${names?.channels[String(value['channel_id'])]?.name ?? String(value['channel_id'])}`;
    case 'emoji':
      return `:${String(value['name'])}:`;
    case 'rich_text':
    case 'rich_text_list':
      return dictsAt(value, 'elements')
        .map((entry) => readRichText(entry, names))
        .join('\n');
    default:
      return dictsAt(value, 'elements')
        .map((entry) => readRichText(entry, names))
        .join('');
  }
}
