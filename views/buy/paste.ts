import type { types } from '@slack/bolt';
import type { AllocationsReading } from '../../src/typed/allocations.ts';
import { modal } from '../blocks.ts';
import { ACTION, BLOCK, CALLBACK } from '../ids.ts';
import { textInput } from '../inputs.ts';
import { type Errors, rawText, type Values } from '../state.ts';
import { rowProblemText } from '../typed-problems.ts';
import { type BuyDraft, rowsWith, tooManyCountries } from './draft.ts';

/** Enough for every country there is. Slack's own limit of a text field, in characters. */
const LONGEST_LIST = 3_000;

/** In an error there is no room for all. */
const PROBLEMS_SHOWN = 3;

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
        hint: 'One a line or separated by commas: US 10, DE 5',
        multiline: true,
        longest: LONGEST_LIST,
      }),
    ],
  });
}

/** As pasted: the parser of typed lists undoes what Slack and keyboards did to it. */
export function pasteText(values: Values): string {
  return rawText(values, BLOCK.paste, ACTION.pasteText) ?? '';
}

/**
 * Why a pasted list cannot be taken, at its field; undefined where it can. One wrong row refuses all.
 * @param draft undefined where it is gone
 */
export function pasteProblems(reading: AllocationsReading, draft: BuyDraft | undefined): Errors | undefined {
  const problem = pasteProblem(reading, draft);
  return problem === undefined ? undefined : { [BLOCK.paste]: problem };
}

function pasteProblem(reading: AllocationsReading, draft: BuyDraft | undefined): string | undefined {
  if (!draft) return 'The form under this is gone. Close both, and run /proxy buy again.';
  if (reading.ok) {
    if (reading.basket.length === 0) return 'Paste at least one country with a quantity, like US 10.';
    const tooMany = tooManyCountries(rowsWith(draft, reading.basket));
    return tooMany === undefined ? undefined : `${tooMany} Nothing was added.`;
  }
  const shown = reading.problems.slice(0, PROBLEMS_SHOWN).map((problem) => shorten(rowProblemText(problem)));
  const more = reading.problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

function shorten(text: string): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= 150 ? characters.join('') : `${characters.slice(0, 149).join('')}…`;
}
