import { type Dict, dictsAt, isDict } from '../json.ts';
import { anything, boolean, byType, type Check, list, object, oneOf, type Report, string } from './check.ts';
import { richTextElement } from './rich-text.ts';

const ROWS_MAX = 100;
const CELLS_MAX = 20;
/** Summed over every cell of the table. */
const CHARACTERS_MAX = 10_000;

const number: Check = (value, at, report) => {
  if (typeof value !== 'number') report(at, 'must provide a number');
};
/** An empty cell is refused too: it must hold at least a space. */
const cell = byType({
  raw_text: object({ type: anything, 'text!': string() }),
  raw_number: object({ type: anything, 'value!': number, 'text!': string() }),
  rich_text: object({ type: anything, 'elements!': list(richTextElement, { min: 1 }) }),
});
const column = object({ align: oneOf('left', 'center', 'right'), is_wrapped: boolean });

export const tableFields = {
  'rows!': list(list(cell, { min: 1, max: CELLS_MAX }), { min: 1, max: ROWS_MAX }),
  column_settings: list((value, at, report) => value === null || column(value, at, report), { max: CELLS_MAX }),
};

export function tableWithinSize(value: Dict, at: string, report: Report): void {
  const length = lengthOf(value['rows']);
  if (length > CHARACTERS_MAX)
    report(at, `no more than ${CHARACTERS_MAX} characters allowed in all cells, not ${length}`);
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + lengthOf(entry), 0);
  if (!isDict(value)) return 0;
  const own = typeof value['text'] === 'string' ? value['text'].length : 0;
  return own + lengthOf(dictsAt(value, 'elements'));
}

export function oneTable(blocks: Dict[], at: string, report: Report): void {
  if (blocks.filter((block) => block['type'] === 'table').length > 1) report(at, 'only_one_table_allowed');
}
