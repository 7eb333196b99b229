import type { types } from '@slack/bolt';
import type { Plan } from '../src/purchasing/model/plan.ts';
import type { Block } from './blocks.ts';
import { ACTION, BLOCK } from './ids.ts';
import { select } from './inputs.ts';
import { plain } from './text.ts';

export function planSelect(plans: readonly Plan[], selected: string): Block {
  return select({
    block: BLOCK.plan,
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
