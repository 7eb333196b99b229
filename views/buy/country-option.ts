import type { types } from '@slack/bolt';
import { countryName, searchCountries } from '../../src/purchasing/model/countries.ts';
import { plain } from '../text.ts';

/** `United States (US)`, with the code as its value. */
export function countryOption(code: string): types.PlainTextOption {
  return { text: plain(`${countryName(code)} (${code})`, 75), value: code };
}

/** Slack's limit of options in one answer. */
const OPTIONS_AT_MOST = 100;

/** The answer to what was typed so far. */
export function countryOptions(query: string): types.PlainTextOption[] {
  return searchCountries(query, OPTIONS_AT_MOST).map(({ code }) => countryOption(code));
}
