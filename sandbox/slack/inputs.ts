import { type Dict, isDict } from './json.ts';
import { elementsOf } from './limits/blocks.ts';
import type { Settings } from './settings.ts';
import type { InputState, StateValue, ViewRecord } from './types.ts';

/** Per element type: the field of the state that holds the value, the initial_* that presets it, and what empty is. */
const FIELDS: Record<string, { field: string; initial: string; empty: unknown }> = {
  plain_text_input: { field: 'value', initial: 'initial_value', empty: null },
  number_input: { field: 'value', initial: 'initial_value', empty: null },
  static_select: { field: 'selected_option', initial: 'initial_option', empty: null },
  external_select: { field: 'selected_option', initial: 'initial_option', empty: null },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', empty: [] },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', empty: [] },
  checkboxes: { field: 'selected_options', initial: 'initial_options', empty: [] },
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null },
};

export interface Placed {
  block: Dict;
  element: Dict;
  blockId: string;
  actionId: string;
  type: string;
}

export const inputKey = (blockId: string, actionId: string): string => JSON.stringify([blockId, actionId]);

/** Every element with an action_id, in the order in which a person sees them. */
export function placedElements(blocks: Dict[]): Placed[] {
  return blocks.flatMap((block) =>
    elementsOf(block)
      .filter((element) => element['action_id'] !== undefined)
      .map((element) => ({
        block,
        element,
        blockId: String(block['block_id']),
        actionId: String(element['action_id']),
        type: String(element['type']),
      })),
  );
}

function isStateful(type: string): boolean {
  return FIELDS[type] !== undefined;
}

export function stateValue(type: string, value: unknown): StateValue {
  const fields = FIELDS[type];
  if (!fields) throw new Error(`${type} has no state`);
  const shown = value === undefined || value === '' ? fields.empty : value;
  return shown === undefined ? { type } : { type, [fields.field]: shown };
}

export function initialValue(element: Dict): { value: StateValue; isPreset: boolean } {
  const type = String(element['type']);
  const preset = element[FIELDS[type]?.initial ?? ''];
  return { value: stateValue(type, preset), isPreset: preset !== undefined };
}

/** The value without its wrapping: a string, an option, a list of options, null. */
export function bareValue(value: StateValue): unknown {
  return value[FIELDS[value.type]?.field ?? ''];
}

export function isEmpty(value: StateValue): boolean {
  const bare = bareValue(value);
  return bare === null || bare === undefined || bare === '' || (Array.isArray(bare) && bare.length === 0);
}

/**
 * The inputs of a view that was opened (no `before`) or replaced. An input that keeps block_id, action_id and type keeps
 * what the person sees, whatever its initial_* says now.
 */
export function inputsOf(blocks: Dict[], before: ViewRecord['inputs'] | null): ViewRecord['inputs'] {
  const inputs: Record<string, InputState> = {};
  for (const { blockId, actionId, element, type } of placedElements(blocks)) {
    if (!isStateful(type)) continue;
    const key = inputKey(blockId, actionId);
    const kept = before?.[key];
    if (kept?.value.type === type) {
      inputs[key] = kept;
      continue;
    }
    const { value, isPreset } = initialValue(element);
    inputs[key] = { blockId, actionId, value, isUpdatePreset: before !== null && isPreset };
  }
  return inputs;
}

export function stateValues(
  inputs: ViewRecord['inputs'],
  presets: Settings['presetsByUpdate'],
): Record<string, Record<string, StateValue>> {
  const values: Record<string, Record<string, StateValue>> = {};
  for (const { blockId, actionId, value, isUpdatePreset } of Object.values(inputs)) {
    if (isUpdatePreset && presets === 'missing') continue;
    const isBlank = isUpdatePreset && presets === 'null';
    values[blockId] = { ...values[blockId], [actionId]: isBlank ? stateValue(value.type, undefined) : value };
  }
  return values;
}

/** Slack fills in the ids that were not given; they are new on every render, so nothing typed there survives. */
export function withIds(blocks: Dict[], random: () => string): Dict[] {
  const identify = (element: unknown) =>
    isDict(element) && (element['type'] === 'button' || isStateful(String(element['type'])))
      ? { action_id: random(), ...element }
      : element;
  return blocks.map((block) => {
    const filled: Dict = { block_id: random(), ...block };
    for (const name of ['element', 'accessory']) if (filled[name]) filled[name] = identify(filled[name]);
    if (Array.isArray(filled['elements'])) filled['elements'] = filled['elements'].map(identify);
    return filled;
  });
}
