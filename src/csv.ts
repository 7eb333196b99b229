/**
 * One value of the export. A text was typed by people or the vendor. `digits` is an id, kept with every digit. `exact` is a
 * number, or a decimal written out where a number would lose digits.
 */
export type CsvCell =
  | { readonly text: string }
  | { readonly digits: string }
  | { readonly exact: number | bigint | string }
  | null;

/**
 * One row of CSV as RFC 4180 has it: commas, CRLF at its end, quotes where needed. Nowhere a byte order mark, so that a program
 * reads the first column's name as it is.
 *
 * Ours, not a library's: csv-stringify's `escape_formulas` looks at the first character only, treats every column alike,
 * and would put its mark on the numbers.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => quote(write(cell))).join(',')}\r\n`;
}

function write(cell: CsvCell): string {
  if (cell === null) return '';
  if ('text' in cell) return disarm(cell.text);
  if ('digits' in cell) return keepDigits(cell.digits);
  return exactly(cell.exact);
}

/** What spreadsheets take for the start of a formula, full-width forms and the minus sign included, after whatever they skip. */
const FORMULA = /^[\p{White_Space}\p{C}]*[=+\-@＝＋－＠\u2212]|^[\t\r\n]/u;

/** A spreadsheet that expects semicolons starts a cell there, at a tab or on a new line, whatever our quotes say. */
const FORMULA_WITHIN = /([;\t\r\n][\p{White_Space}\p{C}"]*)(?=[=+\-@＝＋－＠\u2212])/gu;

/** An apostrophe in front, as spreadsheets mark text themselves. It is seen; a formula that runs is not. */
function disarm(text: string): string {
  const within = text.toWellFormed().replace(FORMULA_WITHIN, "$1'");
  return FORMULA.test(within) ? `'${within}` : within;
}

/**
 * A spreadsheet rounds a number at its 16th digit and drops leading zeros. The usual `="…"` is a formula itself, so an id has
 * the same apostrophe as text, always: a column of which some are numbers would not sort or match.
 */
function keepDigits(digits: string): string {
  return digits === '' ? '' : `'${digits}`;
}

function exactly(value: number | bigint | string): string {
  const text = String(value);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new RangeError('not a number written out in digits');
  return text;
}

function quote(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
