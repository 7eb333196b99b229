import { type Allocation, type Basket, mergeBasket } from '../purchasing/model/basket.ts';
import { parseCountry } from './country.ts';
import { parseQuantity, type QuantityProblem } from './quantity.ts';
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
export type RowProblem = { readonly row: string; readonly token: string } & (
  | { readonly problem: QuantityProblem }
  | { readonly problem: 'country_missing' | 'country_unknown' | 'extra_word' | 'digits_grouped' | 'stray_quote' }
  | { readonly problem: 'country_alias'; readonly code: string }
);

export type AllocationsReading =
  | { readonly ok: true; readonly basket: Basket }
  | { readonly ok: false; readonly problems: readonly RowProblem[] };

/**
 * Rows of a country and a quantity, separated by commas or line breaks, as typed after `/proxy buy` or pasted into a field.
 * Empty rows are ignored, rows of the same country summed. One wrong row refuses all: the rest is not what was meant.
 */
export function parseAllocations(text: string): AllocationsReading {
  const readable = dropOuterQuotes(normalise(showMentions(text)));
  const readings = readable
    .split(/[\n\r\u0085\u2028\u2029]/)
    .flatMap(splitLine)
    .map(readRow);
  const problems = readings.flatMap((reading) => (reading.ok ? [] : [reading.problem]));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, basket: mergeBasket(readings.flatMap((reading) => (reading.ok ? [reading.allocation] : []))) };
}

type Row = { readonly text: string; readonly grouped: string | null };

/**
 * `US 1,000` must be neither 1 nor 1000 nor two rows: a piece of digits alone that follows a digit is put back, so that the
 * row is refused as it was typed.
 */
function splitLine(line: string): readonly Row[] {
  const rows: Row[] = [];
  for (const piece of line.split(',').map(trimSpace)) {
    const before = rows.at(-1);
    if (before !== undefined && /^\d[\d.]*$/.test(piece) && /\d$/.test(before.text)) {
      const text = `${before.text},${piece}`;
      rows[rows.length - 1] = { text, grouped: words(text).at(-1) ?? text };
    } else if (piece !== '') {
      rows.push({ text: piece, grouped: null });
    }
  }
  return rows;
}

type RowReading =
  | { readonly ok: true; readonly allocation: Allocation }
  | { readonly ok: false; readonly problem: RowProblem };

function readRow({ text, grouped }: Row): RowReading {
  const row = decodeEntities(text);
  const tokens = words(text).map(readToken);
  const [first = '', ...rest] = tokens;
  // At its edges only: the apostrophe of Côte d'Ivoire is no quote.
  const quoted = tokens.find((token) => hasQuote(`${token.at(0)}${token.at(-1)}`));
  if (quoted !== undefined) return refused({ row, token: quoted, problem: 'stray_quote' });
  if (grouped !== null) return refused({ row, token: grouped, problem: 'digits_grouped' });
  if (rest.length === 0 && /^[-+]?\d/.test(first)) return refused({ row, token: first, problem: 'country_missing' });

  const country = parseCountry(first);
  if (!country.ok) {
    // "United States 5" and "U S 5": name all that stands where the code belongs.
    const named = rest.length > 1 ? parseCountry(tokens.slice(0, -1).join(' ')) : country;
    const { ok: _, ...problem } = named.ok ? country : named;
    return refused({ row, ...problem });
  }
  const [typed, extra] = rest;
  const quantity = parseQuantity(typed);
  if (!quantity.ok)
    return refused({ row, token: quantity.token === '' ? first : quantity.token, problem: quantity.problem });
  if (extra !== undefined) return refused({ row, token: extra, problem: 'extra_word' });
  return { ok: true, allocation: { country: country.country, quantity: quantity.quantity } };
}

/** Slack may have made a link of a long number; one that disagrees stays as it is, and is refused as a word. */
function readToken(word: string): string {
  const link = undoLink(word);
  return link.link === 'agrees' ? link.digits : decodeEntities(word);
}

function refused(problem: RowProblem): RowReading {
  return { ok: false, problem };
}
