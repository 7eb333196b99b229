import { useId, useState } from 'preact/hooks';
import { initialValue } from '../slack/inputs.ts';
import { type Dict, dictsAt } from '../slack/json.ts';
import type { Message, StateValue } from '../slack/types.ts';
import { usePage } from './page-context.ts';
import { act } from './server.ts';
import { elementKey, type Surface } from './surface.ts';

/** A message's elements: the app hears of each use, with the copy of the message that stands on this screen. */
export function useMessageSurface(message: Message): Surface {
  const { me, toast, snapshot } = usePage();
  const id = useId();
  const [pressed, setPressed] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, StateValue>>>({});
  return {
    // The first message of a thread stands on the page twice.
    id: `message-${id}`,
    foldsTexts: true,
    isBusy: pressed !== null,
    pressed,
    value: (block, action) => chosen[elementKey(block, action)] ?? presetOf(message, block, action),
    error: () => undefined,
    enter: (block, action, value) => setChosen((before) => ({ ...before, [elementKey(block, action)]: value })),
    async press(block, element, value) {
      const action = String(element['action_id']);
      setPressed(elementKey(block, action));
      const on = { channel: message.channel, ts: message.ts, edits: message.edits };
      const result = await act({ do: 'act_on_message', user: me, on, block, action, value });
      setPressed(null);
      if (!result.ok) toast(result.error);
    },
    nameOf: (id) => snapshot.people[id]?.realName ?? id,
    suggest: async () => [],
  };
}

function presetOf(message: Message, block: string, action: string): StateValue | undefined {
  const found = message.blocks.find((candidate) => candidate['block_id'] === block);
  const element: Dict | undefined = [...dictsAt(found, 'elements')].find(
    (candidate) => candidate['action_id'] === action,
  );
  return element && element['type'] !== 'button' && element['type'] !== 'overflow'
    ? initialValue(element).value
    : undefined;
}
