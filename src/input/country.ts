import { countriesMeant, isCountry } from '../purchasing/model/countries.ts';

export type CountryReading =
  | { readonly ok: true; readonly country: string }
  /** The words may mean any of these: the person has to choose. */
  | {
      readonly ok: false;
      readonly problem: 'country_unclear';
      readonly token: string;
      readonly codes: readonly string[];
    }
  | { readonly ok: false; readonly problem: 'country_unknown'; readonly token: string };

/** Reserved in ISO 3166 for the United Kingdom, so that it can mean nothing else. */
const UNITED_KINGDOM = ['UK', 'GB'] as const;

/** A name of which parts fit more countries than this ("of", "republic") means none of them. */
const MAY_MEAN_AT_MOST = 6;

/** Longer than any name, in characters. */
const LONGEST_NAME = 80;

/** Letters, and the marks that stand in names or before an entry of a list. A mention or an address is no name. */
const WORDS = /^[\p{L}\p{M} .,'’‘`´&()•*–—-]+$/u;

/** A two-letter code, or a name or alias that means one country. Nothing is guessed: parts of names only ask back. */
export function parseCountry(token: string): CountryReading {
  const unknown = { ok: false, problem: 'country_unknown', token } as const;
  // ASCII is checked before case is changed: upper-casing makes IE of `ıe` and US of `uſ`.
  if (/^[A-Za-z]{2}$/.test(token)) {
    const code = token.toUpperCase();
    const country = code === UNITED_KINGDOM[0] ? UNITED_KINGDOM[1] : code;
    return isCountry(country) ? { ok: true, country } : unknown;
  }
  if (token.length > LONGEST_NAME || !WORDS.test(token)) return unknown;
  const { named, inPart } = countriesMeant(token);
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return { ok: true, country: only };
  const codes = named.length > 0 ? named : inPart;
  return codes.length > 0 && codes.length <= MAY_MEAN_AT_MOST
    ? { ok: false, problem: 'country_unclear', token, codes }
    : unknown;
}
