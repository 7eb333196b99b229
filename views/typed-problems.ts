import type { AllocationsReading } from '../src/input/allocations.ts';
import type { TypedProblem } from '../src/input/problem.ts';
import { countryChoice, orderIdProblemText, rowProblemText } from '../src/input/words.ts';
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
    case 'spend_unknown':
      return `“${literal(refusal.token, 100)}” cannot stand here. After \`/proxy spend\` may stand \`this month\`, \`last month\`, \`90d\` or a month like \`2026-11\`, and one of \`by person\`, \`by plan\` and \`by country\`.`;
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
