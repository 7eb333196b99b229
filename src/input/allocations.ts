import { type Allocation, type Basket, mergeBasket } from '../purchasing/model/basket.ts';
import { parseCountry, parseQuantity, type QuantityProblem } from './fields.ts';
import {
  decodeEntities,
  dropOuterQuotes,
  hasQuote,
  normalise,
  showMentions,
  trimSpace,
  undoLink,
  words,
} from './text.ts';

/** What is wrong with one row. `row` is the whole row and `token` the part at fault, both as they are to be shown. */
export interface RowProblem {
  /** Counted from 1; null where the text has one line. */
  readonly line: number | null;
  readonly row: string;
  readonly token: string;
  readonly problem:
    | QuantityProblem
    | 'country_missing'
    | 'country_unknown'
    | 'extra_word'
    | 'digits_grouped'
    | 'stray_quote';
}

/** A row that is right but for its country, which may be one of several. */
export interface UnclearRow {
  readonly word: string;
  readonly codes: readonly string[];
  readonly quantity: number;
}

export interface AllocationsReading {
  /** Each country once, in the order in which they were typed. */
  readonly basket: Basket;
  readonly unclear: readonly UnclearRow[];
  readonly problems: readonly RowProblem[];
}

/**
 * Rows of a country and a quantity, in either order, as typed after `/proxy buy` or pasted into a field: `US 10, DE 5`,
 * `10 US`, `France: 3`, or a table with commas, semicolons or tabs. Empty rows and a table's heading are ignored, rows of the
 * same country summed.
 */
export function parseAllocations(text: string): AllocationsReading {
  const lines = dropOuterQuotes(normalise(showMentions(text))).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const filled = lines.filter((line) => trimSpace(line) !== '').length;
  const readings = lines.flatMap((line, index) =>
    filled > 1 && isHeading(line, lines.slice(0, index))
      ? []
      : splitLine(line).map((row) => readRow(row, filled > 1 ? index + 1 : null)),
  );
  return {
    basket: mergeBasket(readings.flatMap((reading) => ('allocation' in reading ? [reading.allocation] : []))),
    unclear: readings.flatMap((reading) => ('unclear' in reading ? [reading.unclear] : [])),
    problems: readings.flatMap((reading) => ('problem' in reading ? [reading.problem] : [])),
  };
}

const HEADINGS = new Set([
  'country',
  'countries',
  'code',
  'iso',
  'quantity',
  'qty',
  'ips',
  'ip',
  'number',
  'count',
  'amount',
]);

/** The first line that holds anything, of nothing but a table's usual headings. */
function isHeading(line: string, before: readonly string[]): boolean {
  if (before.some((other) => trimSpace(other) !== '')) return false;
  const headings = words(line.toLowerCase().replace(/[,;:"/()]/g, ' '));
  return headings.length > 1 && headings.every((word) => HEADINGS.has(word));
}

type Row = { readonly text: string; readonly isGrouped: boolean };

/**
 * A comma or semicolon stands between rows, or between a country and its quantity. A piece that begins with a digit after one
 * that ends with a digit is put back, so that the row is refused as it was typed: `US 1,000` must be neither 1 nor 1000, nor
 * `US 1,500 DE` two rows.
 */
function splitLine(line: string): readonly Row[] {
  const rows: Row[] = [];
  // Not the semicolon of an entity.
  for (const piece of line.split(/,|(?<!&(?:amp|lt|gt));/).map((part) => dropOuterQuotes(part))) {
    const before = rows.at(-1);
    if (piece === '') continue;
    if (before !== undefined && /^\d/.test(piece) && /\d$/.test(before.text)) {
      rows[rows.length - 1] = { text: `${before.text},${piece}`, isGrouped: true };
    } else if (before !== undefined && completes(before.text, piece)) {
      rows[rows.length - 1] = { text: `${before.text}, ${piece}`, isGrouped: false };
    } else {
      rows.push({ text: piece, isGrouped: false });
    }
  }
  return rows;
}

/** True where one piece is a country alone and the other a quantity alone. */
function completes(before: string, piece: string): boolean {
  return (isName(before) && isNumber(piece)) || (isNumber(before) && isName(piece));
}

function isNumber(text: string): boolean {
  return words(text).length === 1 && looksLikeQuantity(text);
}

function isName(text: string): boolean {
  return !words(text).some(looksLikeQuantity) && !text.includes(',');
}

/** No name of a country begins with a number or a sign. */
function looksLikeQuantity(word: string): boolean {
  return /^[-+]?\p{N}/u.test(word);
}

const GROUPED = /\d[\d.]*(?:,\d[\d.]*)+/;

type RowReading =
  | { readonly allocation: Allocation }
  | { readonly unclear: UnclearRow }
  | { readonly problem: RowProblem };

function readRow({ text, isGrouped }: Row, line: number | null): RowReading {
  const row = decodeEntities(text);
  const refused = (token: string, problem: RowProblem['problem']): RowReading => ({
    problem: { line, row, token, problem },
  });
  const tokens = words(withoutMarks(text)).map(readToken);
  // At its edges only: the apostrophe of Côte d'Ivoire is no quote.
  const quoted = tokens.find((token) => hasQuote(`${token.at(0)}${token.at(-1)}`));
  if (quoted !== undefined) return refused(quoted, 'stray_quote');
  if (isGrouped) return refused(GROUPED.exec(row)?.[0] ?? row, 'digits_grouped');

  const { name, quantity: typed, extra } = partsOf(tokens);
  if (name === '') return refused(row, 'country_missing');
  const country = parseCountry(name);
  if (!country.ok && country.problem === 'country_unknown') return refused(name, 'country_unknown');
  if (extra !== undefined) return refused(extra, 'extra_word');
  const quantity = parseQuantity(typed);
  if (!quantity.ok) return refused(quantity.token === '' ? name : quantity.token, quantity.problem);
  return country.ok
    ? { allocation: { country: country.country, quantity: quantity.quantity } }
    : { unclear: { word: name, codes: country.codes, quantity: quantity.quantity } };
}

/** The marks that may stand between a country and its quantity; those within Slack's own `<…>` stay. */
function withoutMarks(text: string): string {
  return text.replace(/<[^<>]*>|[:=,]/g, (found) => (found.length > 1 ? found : ' '));
}

/** The quantity is the one word that begins like a number; without one, whatever follows the country. */
function partsOf(tokens: readonly string[]): {
  readonly name: string;
  readonly quantity: string | undefined;
  readonly extra: string | undefined;
} {
  const at = tokens.findIndex(looksLikeQuantity);
  if (at === -1) return withoutNumber(tokens);
  const before = tokens.slice(0, at);
  const after = tokens.slice(at + 1);
  if (before.length > 0) return { name: before.join(' '), quantity: tokens[at], extra: after[0] };
  const next = after.findIndex(looksLikeQuantity);
  return {
    name: (next === -1 ? after : after.slice(0, next)).join(' '),
    quantity: tokens[at],
    extra: next === -1 ? undefined : after[next],
  };
}

/** No name of a country has more words. */
const LONGEST_NAME = 8;

function withoutNumber(tokens: readonly string[]) {
  const whole = tokens.join(' ');
  const first = tokens.slice(0, LONGEST_NAME);
  const length = first.findLastIndex((_, index) => parseCountry(first.slice(0, index + 1).join(' ')).ok) + 1;
  return length === 0
    ? { name: whole, quantity: undefined, extra: undefined }
    : { name: tokens.slice(0, length).join(' '), quantity: tokens[length], extra: undefined };
}

/** Slack may have made a link of a long number; one that disagrees stays as it is, and is refused as a word. */
function readToken(word: string): string {
  const link = undoLink(word);
  return link.link === 'agrees' ? link.digits : decodeEntities(word);
}
