import type { types } from '@slack/bolt';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import type { State } from '../src/purchasing/model/purchase.ts';
import { freezeLine } from './amounts.ts';
import { modal, paragraph } from './blocks.ts';
import { type Described, deed } from './describe.ts';
import { CALLBACK } from './ids.ts';
import { stateWord } from './sentences.ts';

/** After filing: the last view. The rest is told by direct message. */
export function filedView(
  filed: Described & { readonly state: State },
  context: { readonly freeze: Freeze | null },
): types.ModalView {
  const waits = filed.state === 'requested';
  return modal({
    callback: CALLBACK.plain,
    title: 'Filed',
    clearOnClose: true,
    blocks: [
      ...paragraph([
        `*Filed: ${deed(filed)}.* It is ${stateWord(filed.state)}.`,
        waits ? 'No money is spent before it is approved.' : null,
        'What happens next is told to you by direct message. You can close this.',
      ]),
      ...paragraph([freezeLine(context.freeze)]),
    ],
  });
}
