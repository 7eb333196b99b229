import { parse } from 'csv-parse/sync';

export interface CsvRecord {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvReading {
  /** Of rows that hold anything. */
  readonly records: readonly CsvRecord[];
  readonly separator: string;
  /** Nothing that follows could be read. */
  readonly broken: { readonly line: number; readonly why: 'quote_open' | 'quote_within' } | null;
}

/**
 * A table as people save and copy it: separated by commas, semicolons or tabs, with or without quotes and byte order mark, lines
 * ended in any way. Which separator it is, the first line says: names of columns hold none.
 */
export function readCsv(text: string): CsvReading {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const separator = separatorOf(lines);
  const records: CsvRecord[] = [];
  let read = 0;
  try {
    parse(lines, {
      delimiter: separator,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (record, { lines: last }) => {
        read = last;
        if (record.some((cell) => cell.trim() !== '')) records.push({ line: firstLine(record, read), cells: record });
        return null;
      },
    });
    return { records, separator, broken: null };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'CSV_QUOTE_NOT_CLOSED')
      return { records, separator, broken: { line: nextLine(lines, read), why: 'quote_open' } };
    if (code === 'INVALID_OPENING_QUOTE' || code === 'CSV_INVALID_CLOSING_QUOTE')
      return { records, separator, broken: { line: nextLine(lines, read), why: 'quote_within' } };
    throw error;
  }
}

const SEPARATORS = [',', ';', '\t'] as const;

function separatorOf(lines: string): string {
  const [first = ''] = lines.trimStart().split('\n', 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** The library counts where a record ends; only quoted cells hold line breaks. */
function firstLine(record: readonly string[], last: number): number {
  return last - record.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
}

/** The line of the record that follows the one that ended in line `read`. */
function nextLine(lines: string, read: number): number {
  const after = lines.split('\n').slice(read);
  return (
    read +
    1 +
    Math.max(
      0,
      after.findIndex((line) => line !== ''),
    )
  );
}
