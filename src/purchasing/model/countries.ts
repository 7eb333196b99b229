import isoCodes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { ALIASES, COMMONEST, SHORT_NAMES } from './country-names.ts';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case: what is sent to the vendor. */
  readonly code: string;
  /** English, and short: it stands in lists. */
  readonly name: string;
}

/** In the package, but not in ISO 3166-1: Kosovo's code is one that ISO leaves to users. The vendor asks for ISO codes. */
const NOT_ISO: ReadonlySet<string> = new Set(['XK']);

interface Entry extends Country {
  /** The name, folded for comparing. */
  readonly folded: string;
  /** Every other word for it, folded: the package's other names, our aliases, the codes. */
  readonly aliases: readonly string[];
}

const ENTRIES: readonly Entry[] = readEntries();
const BY_CODE: ReadonlyMap<string, Entry> = new Map(ENTRIES.map((entry) => [entry.code, entry]));
const CODE_OF_WORD: ReadonlyMap<string, string | null> = readWords();

/** Exactly the upper-case code: a Map, so that "constructor" is a country as little as "XX" is. */
export function isCountry(code: string): boolean {
  return BY_CODE.has(code);
}

/** The English name, or the code itself for one that is no country (an old record must still be shown). */
export function countryName(code: string): string {
  return BY_CODE.get(code)?.name ?? code;
}

/** Every country, by name. */
export function allCountries(): readonly Country[] {
  return ENTRIES.map(withoutWords);
}

/**
 * The code that somebody may have meant who typed a name, a three-letter code or another common word; null when the word
 * is unknown or means several countries. For hints only: nothing is bought by alias.
 */
export function aliasCode(word: string): string | null {
  return CODE_OF_WORD.get(fold(word)) ?? null;
}

/**
 * The type-ahead: best match first, at most `limit`. Without a query the commonest come first, then the others by name;
 * a country that is not among the first `limit` is reached by typing.
 */
export function searchCountries(query: string, limit: number): readonly Country[] {
  const wanted = fold(query);
  if (wanted === '') return startingList().slice(0, limit).map(withoutWords);
  const found: { entry: Entry; rank: number }[] = [];
  for (const entry of ENTRIES) {
    const rank = rankOf(entry, wanted);
    if (rank !== null) found.push({ entry, rank });
  }
  // Sorting is stable, so equals stay in the order of their names.
  found.sort((a, b) => a.rank - b.rank);
  return found.slice(0, limit).map(({ entry }) => withoutWords(entry));
}

/** Lower is better: code, whole name or alias, start of the name, start of a word or alias, anywhere. */
function rankOf(entry: Entry, wanted: string): number | null {
  if (entry.code.toLowerCase() === wanted) return 0;
  if (entry.folded === wanted || entry.aliases.includes(wanted)) return 1;
  if (entry.folded.startsWith(wanted)) return 2;
  const words = [entry.folded, ...entry.aliases];
  if (words.some((text) => ` ${text}`.includes(` ${wanted}`))) return 3;
  // “cote d ivoire” is typed for Côte d'Ivoire: in the last resort, blanks do not count either.
  const unspaced = withoutBlanks(wanted);
  return words.some((text) => withoutBlanks(text).includes(unspaced)) ? 4 : null;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '');
}

function startingList(): readonly Entry[] {
  const commonest = COMMONEST.flatMap((code) => BY_CODE.get(code) ?? []);
  return [...commonest, ...ENTRIES.filter((entry) => !commonest.includes(entry))];
}

function withoutWords({ code, name }: Entry): Country {
  return { code, name };
}

/** Letters that Unicode does not take apart into a base letter and a mark. */
const WHOLE_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
]);

/**
 * For comparing what people type with names: case, diacritics, full-width forms, apostrophes and dots do not count, other
 * marks separate words. Far too broad for anything that is sent; only searching and hints may use it.
 */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øłđıßæœ]/g, (letter) => WHOLE_LETTERS.get(letter) ?? letter)
    .replace(/&/g, ' and ')
    .replace(/[\p{M}\p{Cf}.'’‘`´]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function readEntries(): readonly Entry[] {
  const names = new Map<string, string | readonly string[]>(Object.entries(english.countries));
  const alphabet = new Intl.Collator('en');
  return isoCodes
    .flatMap(([code, alpha3]) =>
      code && alpha3 && !NOT_ISO.has(code) ? [readEntry(code, alpha3, names.get(code))] : [],
    )
    .sort((a, b) => alphabet.compare(a.name, b.name));
}

function readEntry(code: string, alpha3: string, packaged: string | readonly string[] | undefined): Entry {
  const known = packaged === undefined ? [] : [packaged].flat();
  const name = SHORT_NAMES.get(code) ?? known[0] ?? code;
  const folded = fold(name);
  const words = [...known, ...(ALIASES.get(code) ?? []), alpha3, code].map(fold);
  return { code, name, folded, aliases: [...new Set(words)].filter((word) => word !== folded) };
}

function readWords(): ReadonlyMap<string, string | null> {
  const codes = new Map<string, string | null>();
  for (const { code, folded, aliases } of ENTRIES) {
    for (const word of [folded, ...aliases]) {
      const other = codes.get(word);
      codes.set(word, other === undefined || other === code ? code : null);
    }
  }
  return codes;
}
