import { useState } from 'preact/hooks';
import { inputKey } from '../slack/inputs.ts';
import type { StateValue, ViewRecord } from '../slack/types.ts';
import { usePage } from './page-context.ts';
import { act } from './server.ts';
import { elementKey, type Surface } from './surface.ts';

export interface ViewSurface {
  readonly surface: Surface;
  /** The view with what is typed at this moment. */
  readonly filled: () => ViewRecord;
  /** What Slack's own client refuses, by block. */
  readonly refuse: (errors: Readonly<Record<string, string>>) => void;
}

/**
 * The inputs of a view while somebody types. What was typed here wins over the server's value as long as the input exists: the echo
 * of a letter must not undo the next one.
 */
export function useViewSurface(view: ViewRecord): ViewSurface {
  const { snapshot, toast } = usePage();
  const [typed, setTyped] = useState<Readonly<Record<string, StateValue>>>({});
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [pressed, setPressed] = useState<string | null>(null);
  /** Blocks whose error from the app is no longer shown, since the person has typed there. */
  const [touched, setTouched] = useState<{ readonly errors: ViewRecord['errors']; readonly blocks: readonly string[] }>(
    {
      errors: view.errors,
      blocks: [],
    },
  );
  const answered = touched.errors === view.errors ? touched.blocks : [];

  const valueIn = (block: string, action: string): StateValue | undefined => {
    const key = inputKey(block, action);
    const own = typed[key];
    const known = view.inputs[key]?.value;
    return own && own.type === known?.type ? own : known;
  };
  const surface: Surface = {
    id: `view-${view.id}`,
    foldsTexts: false,
    isBusy: pressed !== null,
    pressed,
    value: valueIn,
    error: (block) => refused[block] ?? (answered.includes(block) ? undefined : view.errors[block]),
    enter(block, action, value) {
      setTyped((before) => ({ ...before, [inputKey(block, action)]: value }));
      setRefused(({ [block]: _answered, ...others }) => others);
      setTouched({ errors: view.errors, blocks: [...answered, block] });
      void act({ do: 'enter', view: view.id, block, action, value });
    },
    async press(block, element, value) {
      const action = String(element['action_id']);
      setPressed(elementKey(block, action));
      const result = await act({ do: 'act', view: view.id, block, action, value });
      setPressed(null);
      if (!result.ok) toast(result.error);
    },
    nameOf: (id) => snapshot.people[id]?.realName ?? (snapshot.channels[id] ? `#${snapshot.channels[id].name}` : id),
    async suggest(block, action, query) {
      const result = await act({ do: 'suggest', view: view.id, block, action, query });
      return result.ok ? (result.options ?? []) : [];
    },
  };
  return {
    surface,
    filled: () => ({
      ...view,
      inputs: Object.fromEntries(
        Object.entries(view.inputs).map(([key, input]) => [
          key,
          { ...input, value: valueIn(input.blockId, input.actionId) ?? input.value },
        ]),
      ),
    }),
    refuse: setRefused,
  };
}
