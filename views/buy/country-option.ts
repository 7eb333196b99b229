import type { types } from '@slack/bolt';
import { countryName, searchCountries } from '../../src/purchasing/model/countries.ts';
import { plain } from '../text.ts';

/** `United States (US)`, with the code as its value. */
export function countryOption(code: string): types.PlainTextOption {
  return { text: plain(`${countryName(code)} (${code})`, 75), value: code };
}

/** The answer to what was typed so far; at most 100, as Slack allows. */
export function countryOptions(query: string): types.PlainTextOption[] {
  return searchCountries(query).map(({ code }) => countryOption(code));
}
