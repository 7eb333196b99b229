import type { types } from '@slack/bolt';
import { type AllocationsReading, parseAllocations } from '../../src/input/allocations.ts';
import { modal } from '../blocks.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { textInput } from '../inputs.ts';
import { type Decoded, rawText, type Values } from '../state.ts';
import { rowProblemText } from '../typed-problems.ts';

/** Enough for every country there is. Slack's own limit of a text field, in characters. */
const LONGEST_LIST = 3_000;

/** An error under a field has no room for all. */
const PROBLEMS_SHOWN = 5;

export function pasteView(draftId: string): types.ModalView {
  return modal({
    callback: CALLBACK.paste,
    title: 'Paste a list',
    draftId,
    submit: 'Add',
    close: 'Back',
    blocks: [
      textInput({
        block: BLOCK.paste,
        action: ACTION.pasteText,
        label: 'Countries and quantities',
        hint: 'As US 10, 10 US, Germany: 3 or a table of two columns, one a line or separated by commas.',
        multiline: true,
        longest: LONGEST_LIST,
      }),
    ],
  });
}

/** What was pasted, each country once; or what is wrong with it, at its field. One wrong row refuses all. */
export function pasteText(values: Values): Decoded<Pick<AllocationsReading, 'basket' | 'unclear'>> {
  // Not `typedText`: the parser of typed lists undoes by itself what Slack and keyboards did.
  const reading = parseAllocations(rawText(values, BLOCK.paste, ACTION.pasteText) ?? '');
  const { basket, unclear, problems } = reading;
  if (problems.length === 0 && basket.length + unclear.length > 0) return { ok: true, content: { basket, unclear } };
  if (problems.length === 0)
    return { ok: false, errors: { [BLOCK.paste]: 'Paste at least one country with a quantity, like US 10.' } };
  const shown = problems.slice(0, PROBLEMS_SHOWN).map((problem) => shorten(rowProblemText(problem)));
  const more = problems.length - shown.length;
  return { ok: false, errors: { [BLOCK.paste]: [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n') } };
}

function shorten(text: string): string {
  const characters = Array.from(text.toWellFormed());
  return characters.length <= 150 ? characters.join('') : `${characters.slice(0, 149).join('')}…`;
}
