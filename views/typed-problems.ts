import type { RowProblem } from '../src/input/allocations.ts';
import type { OrderIdProblem } from '../src/input/order-id.ts';
import type { TypedProblem } from '../src/input/problem.ts';
import { type Message, says } from './blocks.ts';
import { literal } from './text.ts';

type About<P extends RowProblem['problem']> = RowProblem & { problem: P };

/** What is wrong with a typed row, naming the part at fault. Plain text, with foreign text in it: escape it where it is shown. */
export function rowProblemText(problem: RowProblem): string {
  const sentence = ROWS[problem.problem] as (problem: RowProblem) => string;
  return sentence(problem);
}

const ROWS = {
  country_missing: ({ row }) => `“${row}”: which country? Write it like US 10.`,
  country_unknown: ({ row, token }) => `“${row}”: ${token} is not a country code. Write two letters, like US 10.`,
  country_alias: ({ token, code }) => `${token}: did you mean ${code}?`,
  quantity_missing: ({ row }) => `“${row}”: how many? Write it like US 10.`,
  quantity_zero: ({ row, token }) => `“${row}”: ${token} is too few. At least 1.`,
  quantity_too_large: ({ row, token }) => `“${row}”: ${token} is too many.`,
  quantity_not_whole: ({ row, token }) => `“${row}”: ${token} is not a whole number in plain digits.`,
  digits_grouped: ({ row, token }) => `“${row}”: write ${token} without marks between the digits.`,
  extra_word: ({ row, token }) => `“${row}”: ${token} is one word too many. Put a comma between countries.`,
  stray_quote: ({ row, token }) => `“${row}”: there is a stray quotation mark in ${token}.`,
} as const satisfies { [P in RowProblem['problem']]: (problem: About<P>) => string };

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

const ROWS_SHOWN = 5;

export function parseRefusalText(refusal: TypedProblem): Message {
  return says(`${whatIsWrong(refusal)}\nNothing was opened, filed or spent.`);
}

function whatIsWrong(refusal: TypedProblem): string {
  switch (refusal.problem) {
    case 'rows': {
      const shown = refusal.rows.slice(0, ROWS_SHOWN).map((row) => literal(rowProblemText(row), 400));
      const more = refusal.rows.length - shown.length;
      return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
    }
    case 'extra_words':
      return `“${literal(refusal.token, 100)}” is one word too many after \`/proxy ${refusal.after}\`.`;
    case 'stray_quote':
      return `There is a stray quotation mark in “${literal(refusal.token, 100)}”. Write it without.`;
    case 'reason_missing':
      return 'Say why: `/proxy freeze REASON`. Spending was not frozen.';
    default:
      return `${literal(orderIdProblemText(refusal.problem, refusal.token), 400)} Write it like \`/proxy renew 123456\`.`;
  }
}
