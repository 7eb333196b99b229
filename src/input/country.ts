import { aliasCode, isCountry } from '../purchasing/model/countries.ts';

export type CountryReading =
  | { readonly ok: true; readonly country: string }
  /** The token is another word for a country: say its code, and let the person type that. */
  | { readonly ok: false; readonly problem: 'country_alias'; readonly token: string; readonly code: string }
  | { readonly ok: false; readonly problem: 'country_unknown'; readonly token: string };

/** Reserved in ISO 3166 for the United Kingdom, so it can mean nothing else; all other aliases are only hinted at. */
const UNITED_KINGDOM = ['UK', 'GB'] as const;

/** A two-letter code in either case. ASCII is checked first: upper-casing makes IE of `ıe` and US of `uſ`. */
export function parseCountry(token: string): CountryReading {
  if (/^[A-Za-z]{2}$/.test(token)) {
    const code = token.toUpperCase();
    const country = code === UNITED_KINGDOM[0] ? UNITED_KINGDOM[1] : code;
    if (isCountry(country)) return { ok: true, country };
  }
  const meant = aliasCode(token);
  return meant === null
    ? { ok: false, problem: 'country_unknown', token }
    : { ok: false, problem: 'country_alias', token, code: meant };
}
