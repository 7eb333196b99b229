import type { TypedProblem } from '../../src/input/problem.ts';
import { type Message, says } from '../blocks.ts';
import { literal } from '../text.ts';
import { orderIdProblemText, rowProblemText } from '../typed-problems.ts';

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
