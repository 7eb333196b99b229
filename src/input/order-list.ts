import { nearest } from '../nearest.ts';
import type { Basket } from '../purchasing/model/basket.ts';
import { IMPORT_COLUMNS, type ImportColumn, type LineProblem, type ListedOrder } from '../purchasing/model/import.ts';
import type { OrderId } from '../purchasing/model/order-id.ts';
import { parseAllocations } from './allocations.ts';
import { type CsvReading, type CsvRecord, readCsv } from './csv.ts';
import { parseOrderId } from './fields.ts';
import { normalise, trimSpace } from './text.ts';
import { countryChoice, orderIdProblemText, rowProblemText } from './words.ts';

/** As the first line of a list, and as people are shown it. */
export const IMPORT_HEADER = IMPORT_COLUMNS.join(',');

/** All of them are written in one transaction, for which every other write waits. */
export const MOST_LINES = 10_000;

/** In characters. */
export const LONGEST_NOTE = 500;

/** Of what somebody wrote, in a sentence about it. In characters. */
const SHOWN = 60;

export interface OrderListReading {
  readonly lines: readonly ListedOrder[];
  readonly problems: readonly LineProblem[];
}

type Say = (line: number, column: ImportColumn | null, words: string) => void;

/** Reads a list of orders, CSV with a header, and says all that is wrong with it. Knows nothing of the ledger, the policy or Slack. */
export function readOrderList(text: string): OrderListReading {
  const problems: LineProblem[] = [];
  const say: Say = (line, column, words) => problems.push({ line, column, fault: { fault: 'unreadable', words } });
  const { broken, records, separator } = readCsv(text);
  const [header, ...rows] = records;
  const lines = header ? readLines(header, rows, separator, say) : [];
  if (!header && !broken) say(1, null, `There is nothing in it. Its first line names the columns: ${IMPORT_HEADER}`);
  if (header && rows.length === 0 && !broken) say(header.line, null, 'There is no order below the first line.');
  if (broken) say(broken.line, null, QUOTES[broken.why]);
  return { lines, problems };
}

const QUOTES = {
  quote_open:
    'A quotation mark that begins a value has none at its end, so nothing that follows could be read. Put one at the end of the value.',
  quote_within:
    'There is a quotation mark within a value, so nothing that follows could be read. Put the whole value in quotes, and write each mark in it twice.',
} as const satisfies Record<NonNullable<CsvReading['broken']>['why'], string>;

function readLines(header: CsvRecord, rows: readonly CsvRecord[], separator: string, say: Say): readonly ListedOrder[] {
  const columns = readHeader(header, say);
  if (!columns) return [];
  if (rows.length > MOST_LINES) {
    say(header.line, null, `More than ${MOST_LINES} orders: cut the list into several.`);
    return [];
  }
  const seen = new Map<OrderId, number>();
  return rows.map((row) => {
    const listed = readLine(row, columns, separator, say);
    const first = listed.orderId === undefined ? undefined : seen.get(listed.orderId);
    if (first !== undefined) say(row.line, 'order_id', `Order ${listed.orderId} stands in line ${first} already.`);
    else if (listed.orderId !== undefined) seen.set(listed.orderId, row.line);
    return first === undefined ? listed : { ...listed, orderId: undefined };
  });
}

/** The column of each cell, null for one without a name; undefined where they cannot be told. */
function readHeader({ line, cells }: CsvRecord, say: Say): readonly (ImportColumn | null)[] | undefined {
  const names = cells.map((cell) =>
    trimSpace(normalise(cell))
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const columns = names.map((name) => IMPORT_COLUMNS.find((column) => column === name) ?? null);
  if (columns.every((column) => column === null)) {
    say(line, null, `The first line must name the columns: ${IMPORT_HEADER}`);
    return undefined;
  }
  let wrong = false;
  const tell = (words: string) => {
    wrong = true;
    say(line, null, words);
  };
  const missing = new Set(IMPORT_COLUMNS.filter((column) => !columns.includes(column)));
  for (const [index, name] of names.entries()) {
    if (columns[index] || name === '') continue;
    const meant = nearest(name, [...missing]);
    if (meant !== null) missing.delete(meant as ImportColumn);
    const remedy = meant === null ? `Leave it out; the columns are ${IMPORT_HEADER}` : `Did you mean ${meant}?`;
    tell(`${quoted(trimSpace(cells[index] ?? ''))} is no column. ${remedy}`);
  }
  for (const column of missing)
    tell(`The column ${column} is missing.${MAY_BE_EMPTY.has(column) ? ' Its values may be empty.' : ''}`);
  for (const column of IMPORT_COLUMNS)
    if (columns.filter((other) => other === column).length > 1) tell(`The column ${column} is there twice.`);
  return wrong ? undefined : columns;
}

const MAY_BE_EMPTY: ReadonlySet<ImportColumn> = new Set(['bought_on', 'owner', 'note']);

function readLine(
  { line, cells }: CsvRecord,
  columns: readonly (ImportColumn | null)[],
  separator: string,
  say: Say,
): ListedOrder {
  const nameless = cells.findIndex((cell, index) => !columns[index] && trimSpace(cell) !== '');
  if (nameless !== -1)
    say(
      line,
      null,
      `${quoted(cells[nameless] ?? '')} stands in no column. A value that holds ${SEPARATOR_NAMES[separator]} goes in quotes: "…".`,
    );
  const cell = (column: ImportColumn) => trimSpace(cells[columns.indexOf(column)] ?? '');
  const read = <T>(column: ImportColumn, reader: (text: string) => Reading<T>): T | undefined => {
    const reading = reader(cell(column));
    if ('value' in reading) return reading.value;
    say(line, column, reading.wrong);
    return undefined;
  };
  return {
    line,
    orderId: read('order_id', readOrderId),
    productId: read('product_id', readProductId),
    basket: read('countries', readCountries),
    boughtAt: read('bought_on', readDay),
    owner: read('owner', readOwner),
    note: read('note', readNote),
  };
}

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };

type Reading<T> = { readonly value: T } | { readonly wrong: string };

/** Nine digits and more are shortened like this by a spreadsheet that takes an id for a number. */
const SHORTENED = /^[-+]?\d+(?:[.,]\d+)?[eE][-+]?\d+$/;

/** How a spreadsheet is told, within the cell, to leave digits as they are. */
const AS_TEXT = /^(?:'|=")([0-9]+)"?$/;

function readOrderId(text: string): Reading<OrderId> {
  if (text === '') return { wrong: 'The order id is missing.' };
  if (SHORTENED.test(normalise(text)))
    return {
      wrong: `${quoted(text)} is what a spreadsheet makes of a long id: its digits are lost. Make the column a text column, then write the id again.`,
    };
  const reading = parseOrderId(AS_TEXT.exec(text)?.[1] ?? text);
  return reading.ok
    ? { value: reading.orderId }
    : { wrong: orderIdProblemText(reading.problem, quoted(reading.token)) };
}

function readProductId(text: string): Reading<string> {
  return text === '' ? { wrong: 'The plan is missing: write its product_id, as in the policy.' } : { value: text };
}

function readCountries(text: string): Reading<Basket> {
  const { basket, unclear, problems } = parseAllocations(text);
  const wrong = [
    ...problems.map((problem) => rowProblemText({ ...problem, line: null })),
    ...unclear.map(({ word, codes }) => `${quoted(word)} may mean ${countryChoice(codes)}: write its two-letter code.`),
  ];
  if (wrong.length === 0 && basket.length > 0) return { value: basket };
  return { wrong: [...wrong, 'Write them like US 10; DE 5.'].join(' ') };
}

/** Nothing was sold before. */
const FIRST_YEAR = 2000;

function readDay(text: string): Reading<number | null> {
  if (text === '') return { value: null };
  const typed = normalise(text);
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(typed) : Number.NaN;
  if (Number.isNaN(at)) return { wrong: `${quoted(text)} is not a day: write it like 2026-01-31.` };
  // The 30th of February would be taken for the 2nd of March.
  if (!new Date(at).toISOString().startsWith(typed)) return { wrong: `${typed} is not in the calendar.` };
  if (new Date(at).getUTCFullYear() < FIRST_YEAR)
    return { wrong: `${typed} is before ${FIRST_YEAR}: look at the year.` };
  return { value: at };
}

/** The longest that an address may be. */
const LONGEST_EMAIL = 254;

function readOwner(text: string): Reading<ListedOrder['owner']> & object {
  if (text === '') return { value: null };
  const typed = normalise(text);
  if (/^[UW][A-Z0-9]{2,20}$/.test(typed)) return { value: { user: typed } };
  if (/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"()]+$/.test(typed) && typed.length <= LONGEST_EMAIL)
    return { value: { email: typed.toLowerCase() } };
  return {
    wrong: `${quoted(text)} is neither a Slack user id, like U024BE7LH (in Slack: the profile, ⋮, Copy member ID), nor an e-mail address.`,
  };
}

function readNote(text: string): Reading<string | null> {
  if (Array.from(text).length > LONGEST_NOTE)
    return { wrong: `It has more than ${LONGEST_NOTE} characters: shorten it.` };
  return { value: text === '' ? null : text };
}

function quoted(text: string): string {
  const characters = Array.from(text);
  return `“${characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : text}”`;
}
