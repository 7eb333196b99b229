import type { AllocationsReading, RowProblem } from '../src/input/allocations.ts';
import type { OrderIdProblem } from '../src/input/fields.ts';
import type { TypedProblem } from '../src/input/problem.ts';
import { countryName } from '../src/purchasing/model/countries.ts';
import { type DrawnMessage, says } from './blocks.ts';
import { literal } from './text.ts';

const ROWS_SHOWN = 5;

/** The part of a refused command that was right, to be copied. In characters; more is not read at a glance. */
const REST_SHOWN = 600;

const ORDERS_MAY =
  'After `/proxy orders` may stand `mine`, with `ending`, `ended` or `all`, and a country (`DE`, `Germany`); or an order id, alone.';

/** The private answer to a command that could not be followed. */
export function parseRefusalText(refusal: TypedProblem): DrawnMessage {
  return says(`${whatIsWrong(refusal)}\nNothing was opened, filed or spent.${restToCopy(refusal)}`);
}

function whatIsWrong(refusal: TypedProblem): string {
  switch (refusal.problem) {
    case 'rows': {
      const { problems } = refusal.reading;
      const shown = problems.slice(0, ROWS_SHOWN).map((problem) => literal(rowProblemText(problem), 400));
      const more = problems.length - shown.length;
      return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
    }
    case 'extra_words':
      return `“${literal(refusal.token, 100)}” is one word too many after \`/proxy ${refusal.after}\`.`;
    case 'stray_quote':
      return `There is a stray quotation mark in “${literal(refusal.token, 100)}”. Write it without.`;
    case 'reason_missing':
      return 'Say why: `/proxy freeze REASON`. Spending was not frozen.';
    case 'orders_unknown':
      return `“${literal(refusal.token, 100)}” is neither a country nor a word of this command. ${ORDERS_MAY}`;
    case 'orders_unclear':
      return `“${literal(refusal.token, 100)}” may be ${literal(countryChoice(refusal.codes), 400)}: write its code, like \`/proxy orders ${literal(refusal.codes[0] ?? '', 2)}\`.`;
    default: {
      const { problem, token, after } = refusal;
      const may = after === 'orders' ? ` ${ORDERS_MAY}` : '';
      return `${literal(orderIdProblemText(problem, token), 400)} Write it like \`/proxy ${after} 123456\`.${may}`;
    }
  }
}

function restToCopy(refusal: TypedProblem): string {
  if (refusal.problem !== 'rows') return '';
  const rest = rowsText(refusal.reading);
  return rest === '' ? '' : ` The rest, to copy:\n\`/proxy buy ${literal(rest, REST_SHOWN)}\``;
}

/** The rows that could be read, as they may be typed again. */
export function rowsText({ basket, unclear }: Pick<AllocationsReading, 'basket' | 'unclear'>): string {
  return [
    ...basket.map(({ country, quantity }) => `${country} ${quantity}`),
    ...unclear.map(({ word, quantity }) => `${word} ${quantity}`),
  ].join(', ');
}

/** `South Korea or North Korea` */
export function countryChoice(codes: readonly string[]): string {
  const names = codes.map(countryName);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** What is wrong with a typed row, naming its line and the part at fault. Plain text, with foreign text in it: escape it where it is shown. */
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

/** What is wrong with a typed order id. Plain text, with foreign text in it. */
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
