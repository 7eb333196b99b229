import type { MessageCopy } from '../demo/wire.ts';
import type { Shortcut } from '../slack/types.ts';
import type { MenuItem } from './menu.tsx';
import { usePage } from './page-context.ts';
import { act } from './server.ts';

/** The app's shortcuts as items of a menu: the global ones, or those of this message. */
export function useShortcuts(on?: MessageCopy): readonly MenuItem[] {
  const { snapshot, me, toast } = usePage();
  const { app } = snapshot;
  const run = async ({ callbackId }: Shortcut) => {
    const result = await act({
      do: 'shortcut',
      user: me,
      callbackId,
      ...(on && { on: { channel: on.channel, ts: on.ts, edits: on.edits } }),
    });
    if (!result.ok) toast(result.error);
    else if (result.failure !== null) toast(`${app.name} did not answer. Try again?`);
  };
  return snapshot.shortcuts
    .filter(({ type }) => type === (on ? 'message' : 'global'))
    .map((shortcut) => ({
      key: shortcut.callbackId,
      label: shortcut.name,
      about: on ? app.name : shortcut.description,
      choose: () => void run(shortcut),
    }));
}
