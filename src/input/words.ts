import { countryName } from '../purchasing/model/countries.ts';
import type { RowProblem } from './allocations.ts';
import type { OrderIdProblem } from './fields.ts';

// What is wrong with what people type, in words that Slack and the ledger command share. Plain text, with foreign text in it.

/** `South Korea or North Korea` */
export function countryChoice(codes: readonly string[]): string {
  const names = codes.map(countryName);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** What is wrong with a typed row, naming its line and the part at fault. */
export function rowProblemText(problem: RowProblem): string {
  const sentence = ROWS[problem.problem](problem);
  return problem.line === null ? sentence : `Line ${problem.line}: ${sentence}`;
}

const ROWS = {
  country_missing: ({ row }) => `“${row}”: in which country? Write it like US 10.`,
  country_unknown: ({ token }) => `“${token}” is not a country.`,
  quantity_missing: ({ token }) => `How many for “${token}”? Write it like US 10.`,
  quantity_zero: ({ row }) => `“${row}”: at least 1.`,
  quantity_too_large: ({ row }) => `“${row}”: that is too many.`,
  quantity_not_whole: ({ row, token }) => `“${row}”: “${token}” is not a whole number in plain digits.`,
  digits_grouped: ({ row, token }) => `“${row}”: write ${token} without marks between the digits.`,
  extra_word: ({ row, token }) => `“${row}”: “${token}” is one word too many. Put a comma between countries.`,
  stray_quote: ({ row, token }) => `“${row}”: there is a stray quotation mark in ${token}.`,
} as const satisfies Record<RowProblem['problem'], (problem: RowProblem) => string>;

/** What is wrong with a typed order id. */
export function orderIdProblemText(problem: OrderIdProblem, token: string): string {
  return ORDER_IDS[problem](token);
}

const ORDER_IDS = {
  order_id_missing: () => 'Which order? Give its id, in digits.',
  order_id_mention: (token) => `${token} is a mention, not an order id. An order id is digits only.`,
  order_id_link_disagrees: (token) => `${token} is a link that points elsewhere. Type the digits of the order id.`,
  order_id_not_digits: (token) => `${token} is not an order id: an order id is digits only.`,
  order_id_too_long: (token) => `${token} is too long for an order id: at most 40 digits.`,
  order_id_zero: () => '0 is not an order id.',
} as const satisfies Record<OrderIdProblem, (token: string) => string>;
