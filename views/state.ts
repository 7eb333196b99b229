import { decodeEntities, dropInvisible, trimSpace } from '../src/input/text.ts';
import { ACTION, BLOCK } from './ids.ts';
import { LONGEST_REASON } from './inputs.ts';

/** As much of Slack's `view.state.values` as is read here: by block_id, then by action_id. */
export type Values = Readonly<Record<string, Readonly<Record<string, Value>>>>;

interface Value {
  readonly value?: string | null;
  readonly selected_option?: { readonly value: string } | null;
  readonly selected_options?: readonly { readonly value: string }[];
}

/** What is wrong, by the block_id of an input of the submitted view. */
export type Errors = Record<string, string>;

function find(values: Values, block: string, action: string): Value | undefined {
  const inBlock = Object.hasOwn(values, block) ? values[block] : undefined;
  return inBlock !== undefined && Object.hasOwn(inBlock, action) ? inBlock[action] : undefined;
}

/** As it arrived; empty for an emptied field, undefined where the state does not know the field. */
export function rawText(values: Values, block: string, action: string): string | undefined {
  const found = find(values, block, action);
  return found === undefined ? undefined : (found.value ?? '');
}

/** A person's sentence: the three entities that Slack may write are undone once. */
export function typedText(values: Values, block: string, action: string): string | undefined {
  const text = rawText(values, block, action);
  return text === undefined ? undefined : decodeEntities(text);
}

export function chosen(values: Values, block: string, action: string): string | undefined {
  const found = find(values, block, action);
  return found === undefined ? undefined : (found.selected_option?.value ?? '');
}

function ticked(values: Values, block: string, action: string): boolean {
  return (find(values, block, action)?.selected_options ?? []).length > 0;
}

/** The boxes of a review; a box that is not there is not ticked. */
export function readTicks(values: Values): { readonly separate: boolean; readonly neverSeen: boolean } {
  return {
    separate: ticked(values, BLOCK.separate, ACTION.separate),
    neverSeen: ticked(values, BLOCK.neverSeen, ACTION.neverSeen),
  };
}

/** Why a reason or note that must be given cannot be taken. */
export function proseProblem(text: string, what: string): string | undefined {
  return trimSpace(dropInvisible(text)) === '' ? `${what}.` : tooLong(text);
}

/** Characters are counted as people count them, not in UTF-16 units. */
export function tooLong(text: string): string | undefined {
  return Array.from(text).length > LONGEST_REASON ? `At most ${LONGEST_REASON} characters.` : undefined;
}
