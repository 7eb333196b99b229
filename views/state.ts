import { decodeEntities, dropInvisible, trimSpace } from '../src/input/text.ts';
import type { BalanceReading } from '../src/purchasing/model/answer.ts';
import type { Money } from '../src/purchasing/model/money.ts';
import type { Plan } from '../src/purchasing/model/policy.ts';
import type { Content } from '../src/purchasing/model/purchase.ts';
import { ACTION, BLOCK } from './ids.ts';
import { LONGEST_REASON } from './inputs.ts';

/** As much of Slack's `view.state.values` as is read here: by block_id, then by action_id. */
export type Values = Readonly<Record<string, Readonly<Record<string, Value>>>>;

interface Value {
  readonly value?: string | null;
  readonly selected_option?: { readonly value: string } | null;
  readonly selected_options?: readonly { readonly value: string }[] | null;
  readonly selected_user?: string | null;
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

/** The Slack user id of a chosen person; empty where none is. */
export function chosenUser(values: Values, block: string, action: string): string {
  return find(values, block, action)?.selected_user ?? '';
}

function chosen(values: Values, block: string, action: string): string | undefined {
  const found = find(values, block, action);
  return found === undefined ? undefined : (found.selected_option?.value ?? '');
}

/** What the fields of a form hold now; each is read with what its draft held before. */
export interface Fields {
  readonly chosen: (block: string, action: string, before: string) => string;
  readonly chosenMany: (block: string, action: string, before: readonly string[]) => readonly string[];
  readonly raw: (block: string, action: string, before: string) => string;
  readonly typed: (block: string, action: string, before: string) => string;
  /** What is still to be reported after these reads. */
  readonly unreported: () => readonly string[];
}

/**
 * Reads a form's fields. Slack shows a preset that came by an update, and yet its state lacks it, or has it as null, until the
 * person touches it: such a field keeps what the form shows until it has once been reported with a value. Any other field
 * that is reported empty was emptied by hand.
 */
export function fieldsOf(values: Values, unreported: readonly string[]): Fields {
  const left = new Set(unreported);
  const settle = (block: string, reported: string | undefined, before: string): string => {
    if (reported === undefined || (reported === '' && left.has(block))) return before;
    left.delete(block);
    return reported;
  };
  return {
    chosenMany(block, action, before) {
      const reported = find(values, block, action) && chosenOf(values, block, action);
      if (reported === undefined || (reported.length === 0 && left.has(block))) return before;
      left.delete(block);
      return reported;
    },
    chosen: (block, action, before) => settle(block, chosen(values, block, action), before),
    raw: (block, action, before) => settle(block, rawText(values, block, action), before),
    typed: (block, action, before) => settle(block, typedText(values, block, action), before),
    unreported: () => [...left],
  };
}

/** The options of a list, or the boxes, that are chosen. */
export function chosenOf(values: Values, block: string, action: string): readonly string[] {
  return (find(values, block, action)?.selected_options ?? []).map(({ value }) => value);
}

function ticked(values: Values, block: string, action: string): boolean {
  return chosenOf(values, block, action).length > 0;
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
export interface FormDraft<C extends Content = Content> {
  /** product_id, or empty. */
  readonly plan: string;
  readonly reason: string;
  readonly separate: boolean;
  readonly balance: BalanceReading | null;
  /** Null before the first. */
  readonly lastReview: LastReview<C> | null;
  /** Slack's id of the root view. */
  readonly view: string | null;
  /** Block ids of the fields that are shown with a value which Slack's state may not know yet; see {@link fieldsOf}. */
  readonly unreported: readonly string[];
}

/** What the last review showed: exactly this is filed, and only by the submit of that review. */
export interface LastReview<C extends Content> {
  readonly id: string;
  readonly content: C;
  readonly reason: string;
  /** Null where it could not be filed. */
  readonly needsApproval: boolean | null;
  /** What it would cost, in cents; null where no price was known. A draft of the version before has none. */
  readonly cost?: Money | null;
  /** As {@link Review.lastTwin}. A draft of the version before has none. */
  readonly lastTwin?: string | null;
}

/** What a form holds as the domain reads it, or what is wrong with it. */
export type Decoded<C> = { readonly ok: true; readonly content: C } | { readonly ok: false; readonly errors: Errors };

/** A reason or note that must be given. */
export function decodeProse(values: Values, block: string, action: string, what: string): Decoded<string> {
  const text = typedText(values, block, action) ?? '';
  const wrong = proseProblem(text, what);
  return wrong ? { ok: false, errors: { [block]: wrong } } : { ok: true, content: text };
}

/** What is wrong with a chosen plan that is none of those offered. */
export function planProblem(productId: string, plans: readonly Plan[]): string {
  if (productId === '') return 'Choose a plan.';
  const [only, ...others] = plans;
  return only && others.length === 0
    ? `This plan is no longer offered: ${only.name} is the only one now.`
    : 'This plan is no longer offered: choose another one.';
}

/** The plan that a form shows: the chosen one as long as it is offered, else the only one there is to choose, or none. */
export function planShown(productId: string, plans: readonly Plan[]): string {
  if (plans.some((plan) => plan.productId === productId)) return productId;
  const [only, ...others] = plans;
  return only && others.length === 0 ? only.productId : '';
}
