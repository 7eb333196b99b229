import { type Dict, isDict } from '../json.ts';
import { boolean, byType, type Check, list, object, oneOf, type Report, string } from './check.ts';

const plainText = (max: number) => object({ 'type!': oneOf('plain_text'), 'text!': string({ max }), emoji: boolean });
const mrkdwnText = (max: number) => object({ 'type!': oneOf('mrkdwn'), 'text!': string({ max }), verbatim: boolean });

export const plain = (max: number): Check => byType({ plain_text: plainText(max) });
export const anyText = (max: number): Check => byType({ plain_text: plainText(max), mrkdwn: mrkdwnText(max) });

export const confirm: Check = object({
  title: plain(100),
  'text!': anyText(300),
  confirm: plain(30),
  deny: plain(30),
  style: oneOf('primary', 'danger'),
});

/** 75: @slack/types; one SDK says 150, and the smaller is safe under both. */
export const OPTION_VALUE_MAX = 75;

const optionFields = { 'value!': string({ max: OPTION_VALUE_MAX }), description: plain(75) };
export const plainOption: Check = object({ 'text!': plain(75), ...optionFields });
export const richOption: Check = object({ 'text!': anyText(75), ...optionFields, description: anyText(75) });

export const optionGroup: Check = object({ 'label!': plain(75), 'options!': list(plainOption, { min: 1, max: 100 }) });

/** `options` or `option_groups`, never both, never neither. */
export function oneSourceOfOptions(value: Dict, at: string, report: Report): void {
  const has = (name: string) => value[name] !== undefined;
  if (has('options') === has('option_groups')) report(at, 'must provide exactly one of options and option_groups');
}

export function allOptions(element: Dict): unknown[] {
  const groups = Array.isArray(element['option_groups']) ? element['option_groups'] : [];
  const own = Array.isArray(element['options']) ? element['options'] : [];
  return [
    ...own,
    ...groups.flatMap((group) => (isDict(group) && Array.isArray(group['options']) ? group['options'] : [])),
  ];
}

/** An initial option must be one of the options, to the letter. */
export function initialAmongOptions(value: Dict, at: string, report: Report): void {
  const known = new Set(allOptions(value).map((option) => JSON.stringify(option)));
  const single = value['initial_option'];
  if (single !== undefined && !known.has(JSON.stringify(single)))
    report(`${at}/initial_option`, 'must be one of the provided options');
  const several = value['initial_options'];
  if (Array.isArray(several) && !several.every((option) => known.has(JSON.stringify(option))))
    report(`${at}/initial_options`, 'must be among the provided options');
}
