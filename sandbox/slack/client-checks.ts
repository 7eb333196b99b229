import { bareValue, inputKey, isEmpty } from './inputs.ts';
import { dictAt, shown } from './json.ts';
import type { ViewRecord } from './types.ts';

/** What Slack's own client refuses before anything is sent: block_id → sentence. */
export function clientErrors(view: ViewRecord): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of view.blocks) {
    const element = dictAt(block, 'element');
    if (block['type'] !== 'input' || !element) continue;
    const blockId = String(block['block_id']);
    const value = view.inputs[inputKey(blockId, shown(element['action_id']))]?.value;
    const isBlank =
      !value || isEmpty(value) || (typeof bareValue(value) === 'string' && String(bareValue(value)).trim() === '');
    const error = isBlank
      ? block['optional'] === true
        ? null
        : 'Please complete this required field.'
      : contentError(element, String(bareValue(value)));
    if (error) errors[blockId] = error;
  }
  return errors;
}

function contentError(element: Record<string, unknown>, typed: string): string | null {
  switch (element['type']) {
    case 'number_input': {
      const pattern = element['is_decimal_allowed'] === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
      if (!pattern.test(typed)) return 'Please enter a valid number.';
      if (element['min_value'] !== undefined && Number(typed) < Number(element['min_value']))
        return `Please enter a number that is at least ${shown(element['min_value'])}.`;
      if (element['max_value'] !== undefined && Number(typed) > Number(element['max_value']))
        return `Please enter a number that is at most ${shown(element['max_value'])}.`;
      return null;
    }
    case 'plain_text_input':
      if (typed.length < Number(element['min_length'] ?? 0))
        return `Please enter at least ${shown(element['min_length'])} characters.`;
      if (typed.length > Number(element['max_length'] ?? 3000))
        return `Please enter at most ${shown(element['max_length'] ?? 3000)} characters.`;
      return null;
    default:
      return null;
  }
}
