import isoCodes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };

/** Names shown instead of the package's, where that has a form of state in it: people look for China under C. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['CD', 'DR Congo'],
  ['CG', 'Congo'],
  ['CI', "Côte d'Ivoire"],
  ['CN', 'China'],
  ['CZ', 'Czechia'],
  ['GM', 'Gambia'],
  ['IR', 'Iran'],
  ['MK', 'North Macedonia'],
  ['PS', 'Palestine'],
  ['RE', 'Réunion'],
  ['TW', 'Taiwan'],
  ['TZ', 'Tanzania'],
  ['US', 'United States'],
]);

/**
 * What people type besides a code and the names that the package already knows: former names, names in the country's own
 * language, parts of a country, sport and colloquial forms. A word may stand under several codes: then the type-ahead
 * offers each of them, and what is typed or pasted asks which one is meant.
 */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['AE', ['Emirates', 'Dubai', 'Abu Dhabi']],
  ['AT', ['Österreich', 'Oesterreich']],
  ['AZ', ['Azerbaidjan']],
  ['BA', ['Bosnia', 'Herzegovina', 'BiH']],
  ['BE', ['Belgique', 'België', 'Belgien']],
  ['BN', ['Brunei']],
  ['BQ', ['Caribbean Netherlands']],
  ['BR', ['Brasil']],
  ['BY', ['Belorussia', 'White Russia']],
  ['CD', ['Congo', 'DRC', 'DR Congo', 'Congo-Kinshasa', 'Zaire']],
  ['CG', ['Congo-Brazzaville']],
  ['CH', ['Schweiz', 'Suisse', 'Svizzera', 'Helvetia', 'SUI']],
  ['CI', ['Cote dIvoire']],
  ['CN', ['PRC', 'Mainland China', 'Zhongguo']],
  ['CV', ['Cabo Verde']],
  ['CZ', ['Cesko', 'Czech']],
  ['DE', ['Deutschland', 'Allemagne', 'Alemania', 'GER']],
  ['DK', ['Danmark', 'DEN']],
  ['EG', ['Misr']],
  ['ES', ['España', 'Espagne']],
  ['FI', ['Suomi']],
  ['FK', ['Falklands', 'Malvinas']],
  ['FM', ['Micronesia']],
  ['GB', ['England', 'Scotland', 'Wales', 'Northern Ireland', 'Britain', 'U.K.']],
  ['GR', ['Hellas', 'Hellenic Republic', 'GRE']],
  ['HR', ['Hrvatska', 'CRO']],
  ['HU', ['Magyarország']],
  ['ID', ['Bali']],
  ['IE', ['Eire', 'Republic of Ireland']],
  ['IN', ['Bharat']],
  ['IR', ['Persia']],
  ['IS', ['Ísland']],
  ['IT', ['Italia', 'Italie', 'Italien']],
  ['JP', ['Nippon', 'Nihon']],
  ['KH', ['Kampuchea']],
  ['KN', ['St Kitts', 'St Kitts and Nevis']],
  ['KP', ['DPRK', 'Korea', "Democratic People's Republic of Korea"]],
  ['KR', ['Korea', 'ROK']],
  ['LA', ['Laos']],
  ['LC', ['St Lucia']],
  ['LK', ['Ceylon']],
  ['MD', ['Moldova', 'Moldavia']],
  ['MF', ['St Martin', 'Saint-Martin']],
  ['MK', ['Macedonia', 'FYROM']],
  ['MM', ['Burma']],
  ['MO', ['Macau']],
  ['MX', ['México', 'Mexiko']],
  ['NL', ['Holland', 'Nederland', 'NED']],
  ['NO', ['Norge', 'Noreg']],
  ['NZ', ['Aotearoa']],
  ['PH', ['Pilipinas', 'The Philippines']],
  ['PL', ['Polska']],
  ['PT', ['POR']],
  ['RS', ['Srbija']],
  ['RU', ['Rossiya']],
  ['SA', ['KSA', 'Saudi']],
  ['SE', ['Sverige', 'Schweden']],
  ['SI', ['Slovenija']],
  ['SK', ['Slovak Republic']],
  ['ST', ['São Tomé and Príncipe']],
  ['SX', ['St Maarten', 'Saint-Martin']],
  ['SY', ['Syria']],
  ['SZ', ['Swaziland']],
  ['TH', ['Siam']],
  ['TL', ['East Timor']],
  ['TR', ['Turkiye']],
  ['TW', ['Formosa', 'Republic of China', 'Chinese Taipei']],
  ['UA', ['Ukraina']],
  ['US', ['America', 'The States', 'Estados Unidos', 'EEUU']],
  ['VA', ['Vatican', 'Holy See']],
  ['VC', ['St Vincent']],
  ['VG', ['BVI', 'Virgin Islands']],
  ['VI', ['USVI', 'Virgin Islands']],
  ['VN', ['Viet Nam']],
  ['ZA', ['RSA']],
]);

/** Shown first when nothing has been typed yet: where proxies are most often wanted, by our own judgement. */
const COMMONEST: readonly string[] = ['US', 'GB', 'DE', 'FR', 'CA', 'NL', 'ES', 'IT', 'AU', 'JP', 'BR', 'IN', 'KR'];

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
  /** All these, each after a blank, as the type-ahead compares them at every letter. */
  readonly spaced: readonly string[];
  /** From the beginning of each word of all these on, without blanks. */
  readonly unspaced: readonly string[];
  /** All of both as one text, a line each: nearly every country is ruled out by one look. */
  readonly text: string;
  /** Among the commonest, how common; `Infinity` elsewhere. */
  readonly place: number;
}

const ENTRIES: readonly Entry[] = readEntries();
const BY_CODE: ReadonlyMap<string, Entry> = new Map(ENTRIES.map((entry) => [entry.code, entry]));
/** The commonest first, then the others by name. */
const BY_COMMONNESS: readonly Entry[] = ENTRIES.toSorted(byPlace);

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

/** The shortest word that is a name with its accents left out, rather than a code with accents put in. In letters. */
const SHORTEST_ACCENTED_NAME = 4;

/**
 * What somebody may have meant who typed these words: the countries of which they are a code, a name or an alias, and those
 * of which they are only a part. Accents may be left out, but no other letter is taken for one of ours.
 */
export function countriesMeant(typed: string): {
  readonly named: readonly string[];
  readonly inPart: readonly string[];
} {
  const plain = typed.normalize('NFD').replace(/\p{M}/gu, '');
  const word = fold(plain);
  const isForeign = /(?!\p{ASCII})\p{L}/u.test(plain);
  const isAccented = plain !== typed.normalize('NFD');
  if (word === '' || isForeign || (isAccented && word.length < SHORTEST_ACCENTED_NAME))
    return { named: [], inPart: [] };
  const codesOf = (fits: (text: string) => boolean) =>
    BY_COMMONNESS.filter(({ folded, aliases }) => [folded, ...aliases].some(fits)).map(({ code }) => code);
  return { named: codesOf((text) => text === word), inPart: codesOf((text) => ` ${text} `.includes(` ${word} `)) };
}

/**
 * The type-ahead: best match first, at most `limit`. Without a query the commonest come first, then the others by name;
 * a country that is not among the first `limit` is reached by typing.
 */
export function searchCountries(query: string, limit: number): readonly Country[] {
  const wanted = fold(query);
  if (wanted === '') return BY_COMMONNESS.slice(0, limit).map(withoutWords);
  const forms = { wanted, code: wanted.toUpperCase(), word: ` ${wanted}`, unspaced: withoutBlanks(wanted) };
  const found: { entry: Entry; rank: number }[] = [];
  for (const entry of ENTRIES) {
    const rank = rankOf(entry, forms);
    if (rank !== null) found.push({ entry, rank });
  }
  // The first is chosen by Enter: among equals the commonest, then by name, since sorting is stable.
  found.sort((a, b) => a.rank - b.rank || byPlace(a.entry, b.entry));
  return found.slice(0, limit).map(({ entry }) => withoutWords(entry));
}

interface Wanted {
  readonly wanted: string;
  readonly code: string;
  readonly word: string;
  readonly unspaced: string;
}

/** Lower is better: code, whole name or alias, start of the name, start of a word, without blanks, within a word. */
function rankOf(entry: Entry, { wanted, code, word, unspaced }: Wanted): number | null {
  if (!entry.text.includes(wanted) && (wanted === unspaced || !entry.text.includes(unspaced))) return null;
  if (entry.code === code) return 0;
  if (entry.folded === wanted || entry.aliases.includes(wanted)) return 1;
  if (entry.folded.startsWith(wanted)) return 2;
  if (entry.spaced.some((text) => text.includes(word))) return 3;
  // “cote d ivoire” is typed for Côte d'Ivoire: from the beginning of a word on, blanks do not count.
  if (entry.unspaced.some((rest) => rest.startsWith(unspaced))) return 4;
  return entry.spaced.some((text) => text.includes(wanted)) ? 5 : null;
}

function wordStarts(text: string): readonly string[] {
  const words = text.split(' ');
  return words.map((_, index) => words.slice(index).join(' '));
}

function byPlace(a: Entry, b: Entry): number {
  return a.place === b.place ? 0 : a.place - b.place;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '');
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
 * marks separate words. Too broad for what is typed to be sent: {@link countriesMeant} narrows it.
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
  const aliases = [...new Set(words)].filter((word) => word !== folded);
  const place = COMMONEST.indexOf(code);
  const spaced = [folded, ...aliases].map((text) => ` ${text}`);
  const unspaced = [folded, ...aliases].flatMap((text) => wordStarts(text).map(withoutBlanks));
  return {
    code,
    name,
    folded,
    aliases,
    spaced,
    unspaced,
    text: [...spaced, ...unspaced].join('\n'),
    place: place === -1 ? Number.POSITIVE_INFINITY : place,
  };
}
