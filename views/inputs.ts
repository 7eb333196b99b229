import type { types } from '@slack/bolt';
import type { Plan } from '../src/purchasing/model/policy.ts';
import type { Block } from './blocks.ts';
import { ACTION, BLOCK } from './ids.ts';
import { plain } from './text.ts';

/** In characters; enough for a sentence, short enough that a card with it fits into Slack's limit on a message. */
export const LONGEST_REASON = 500;

export function textInput(input: {
  readonly block: string;
  readonly action: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly optional?: boolean;
  readonly multiline?: boolean;
  readonly longest: number;
}): Block {
  const initial = Array.from(input.initial ?? '')
    .slice(0, input.longest)
    .join('');
  return {
    type: 'input',
    block_id: input.block,
    label: plain(input.label, 150),
    optional: input.optional ?? false,
    ...(input.hint === undefined ? {} : { hint: plain(input.hint, 300) }),
    element: {
      type: 'plain_text_input',
      action_id: input.action,
      multiline: input.multiline ?? false,
      max_length: input.longest,
      ...(input.placeholder === undefined ? {} : { placeholder: plain(input.placeholder, 150) }),
      // Longer than max_length in UTF-16 units would be refused with the whole view.
      ...(initial === '' || initial.length > input.longest ? {} : { initial_value: initial }),
    },
  };
}

export function reasonInput(placeholder: string, { initial = '', optional = false } = {}): Block {
  return textInput({
    block: BLOCK.reason,
    action: ACTION.reason,
    label: 'Reason',
    placeholder,
    initial,
    optional,
    multiline: true,
    longest: LONGEST_REASON,
  });
}

/** One box to tick. */
export function tick(block: string, action: string, label: string, text: string): Block {
  return {
    type: 'input',
    block_id: block,
    label: plain(label, 150),
    optional: false,
    element: { type: 'checkboxes', action_id: action, options: [{ text: plain(text, 75), value: 'yes' }] },
  };
}

export function select(input: {
  readonly block: string;
  readonly action: string;
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly types.PlainTextOption[];
  readonly selected: string;
}): Block {
  const initial = input.options.find(({ value }) => value === input.selected);
  return {
    type: 'input',
    block_id: input.block,
    label: plain(input.label, 150),
    optional: false,
    element: {
      type: 'static_select',
      action_id: input.action,
      placeholder: plain(input.placeholder, 150),
      options: [...input.options],
      ...(initial ? { initial_option: initial } : {}),
    },
  };
}

/** Everybody in the workspace, by name. */
export function personSelect(block: string, action: string, label: string): Block {
  return {
    type: 'input',
    block_id: block,
    label: plain(label, 150),
    optional: false,
    element: { type: 'users_select', action_id: action, placeholder: plain('Choose a person', 150) },
  };
}

export function planSelect(plans: readonly Plan[], selected: string, block: string = BLOCK.plan): Block {
  return select({
    block,
    action: ACTION.plan,
    label: 'Plan',
    placeholder: 'Choose a plan',
    options: plans.map(planOption),
    selected,
  });
}

function planOption({ name, productId }: Plan): types.PlainTextOption {
  return { text: plain(name, 75), value: productId };
}
