import type { types } from '@slack/bolt';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { ActionArgs } from '../../src/slack/listeners.ts';
import { updateView } from './open.ts';

/**
 * Shows a draft in the view where it was opened, until what is shown is the latest of it: whatever order two updates reach Slack
 * in, the one who wrote last also draws last. Typed values stay, since every row keeps its own block ids.
 */
export async function redraw<T extends { readonly view: string | null }>(
  desk: Desk,
  args: Pick<ActionArgs, 'client'>,
  draftOf: () => Promise<Draft<T> | undefined>,
  draw: (draft: Draft<T>) => types.ModalView,
): Promise<void> {
  for (let shown = 0; ; ) {
    const draft = await draftOf();
    if (!draft?.content.view || draft.revision === shown) return;
    await updateView(desk, args, draft.content.view, draw(draft));
    shown = draft.revision;
  }
}
