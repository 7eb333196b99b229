import { decodeEntities, dropInvisible, trimSpace } from '../src/input/text.ts';
import type { BalanceReading } from '../src/purchasing/model/balance-reading.ts';
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

/** What a form and its review share, whatever is bought or renewed. */
export interface ReviewedDraft {
  readonly reason: string;
  readonly separate: boolean;
  readonly balance: BalanceReading | null;
  readonly promised: Promised | null;
}

/** What the last review says, and which one that is: only its own submit files it. Null where nothing can be filed. */
export interface Promised {
  readonly review: string;
  readonly needsApproval: boolean;
}

/** What a form holds as the domain reads it, or what is wrong with it. */
export type Decoded<C> = { readonly ok: true; readonly content: C } | { readonly ok: false; readonly errors: Errors };

/** What is wrong with the chosen plan where `plan` is none that is offered. */
export function planProblem(productId: string): string {
  return productId === '' ? 'Choose a plan.' : 'This plan is no longer offered: choose another one.';
}
