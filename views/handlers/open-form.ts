import type { types } from '@slack/bolt';
import type { Right } from '../../src/purchasing/model/right.ts';
import type { Draft } from '../../src/purchasing/ports/drafts.ts';
import type { Desk } from '../../src/slack/handler-context.ts';
import type { CommandArgs } from '../../src/slack/listeners.ts';
import type { ReviewedDraft } from '../reviewed-draft.ts';
import { refusalSentence } from '../sentences.ts';
import { openWhenReady, type Ready } from './open.ts';
import { redraw } from './redraw.ts';
import { userOf } from './reply.ts';

/** A form as it begins, and how it is drawn from then on. */
export interface Form<D> {
  readonly draft: D;
  readonly draw: (draft: Draft<D>) => types.ModalView;
}

/** Opens a form for whoever has the right, with the balance as soon as it is read. */
export async function openForm<D extends ReviewedDraft & { readonly view: string | null }>(
  desk: Desk,
  args: CommandArgs,
  title: string,
  right: Right,
  begin: () => Promise<Form<D>>,
): Promise<void> {
  const user = userOf(args);
  let opened: { readonly id: string; readonly draw: Form<D>['draw'] } | undefined;
  const prepare = async (): Promise<Ready> => {
    const no = await desk.purchasing.mayOpen(user, right);
    if (no) return { sentence: refusalSentence(no, desk.clock.now()) };
    const form = await begin();
    const draft = await desk.drafts.create<D>(user, form.draft);
    opened = { id: draft.id, draw: form.draw };
    return { view: form.draw(draft) };
  };
  const view = await openWhenReady(desk, args, title, prepare());
  if (view === undefined || !opened) return;
  const { id, draw } = opened;
  await desk.drafts.update<D>(id, user, (draft) => ({ ...draft, view }));
  const balance = await desk.purchasing.balance();
  await desk.drafts.update<D>(id, user, (draft) => ({ ...draft, balance }));
  await redraw(desk, args, () => desk.drafts.read<D>(id, user), draw);
}
