import { type Dict, shown } from '../json.ts';
import {
  anything,
  boolean,
  byType,
  type Check,
  integer,
  list,
  matching,
  object,
  oneOf,
  type Report,
  string,
} from './check.ts';
import {
  confirm,
  initialAmongOptions,
  oneSourceOfOptions,
  optionGroup,
  plain,
  plainOption,
  richOption,
} from './text.ts';

const type: Check = anything;
const action_id = string({ max: 255 });
const base = { type, action_id };
const focus = { focus_on_load: boolean };
const placeholder = plain(150);
const ask = { ...base, confirm };
const dispatch_action_config = object({
  trigger_actions_on: list(oneOf('on_enter_pressed', 'on_character_entered'), { min: 1, max: 2 }),
});
const url = string({ max: 3000 });
const style = oneOf('primary', 'danger');
const decimal = matching(/^-?\d+(\.\d+)?$/, 'a number given as a string');
const staticOptions = {
  options: list(plainOption, { min: 1, max: 100 }),
  option_groups: list(optionGroup, { min: 1, max: 100 }),
};
const several = { max_selected_items: integer(1, 100) };

function initialWithinMost(value: Dict, at: string, report: Report): void {
  const { max_selected_items: most, initial_options: first } = value;
  if (Array.isArray(first) && first.length > Number(most ?? 100))
    report(`${at}/initial_options`, `no more than ${shown(most ?? 100)} items allowed`);
}

function numbersInOrder(value: Dict, at: string, report: Report): void {
  const read = (name: string) => (typeof value[name] === 'string' ? Number(value[name]) : undefined);
  const [low, high, first] = [read('min_value'), read('max_value'), read('initial_value')];
  if (low !== undefined && high !== undefined && low > high) report(at, 'min_value must not be more than max_value');
  if (first !== undefined && ((low !== undefined && first < low) || (high !== undefined && first > high)))
    report(`${at}/initial_value`, 'must be between min_value and max_value');
  if (value['is_decimal_allowed'] === false && first !== undefined && !Number.isInteger(first))
    report(`${at}/initial_value`, 'must be an integer');
}

function lengthsInOrder(value: Dict, at: string, report: Report): void {
  const low = Number(value['min_length'] ?? 0);
  const high = Number(value['max_length'] ?? 3000);
  if (low > high) report(at, 'min_length must not be more than max_length');
  const first = value['initial_value'];
  if (typeof first === 'string' && first.length > high)
    report(`${at}/initial_value`, `must be less than ${high + 1} characters`);
}

export const image: Check = object(
  { type, 'alt_text!': string({ max: 2000 }), image_url: url, slack_file: object({ id: string(), url: string() }) },
  (value, at, report) => {
    if ((value['image_url'] === undefined) === (value['slack_file'] === undefined))
      report(at, 'must provide exactly one of image_url and slack_file');
  },
);

const ELEMENTS: Record<string, Check> = {
  button: object({
    ...ask,
    'text!': plain(75),
    value: string({ max: 2000 }),
    url,
    style,
    accessibility_label: string({ max: 75 }),
  }),
  image,
  checkboxes: object(
    {
      ...ask,
      ...focus,
      'options!': list(richOption, { min: 1, max: 10 }),
      initial_options: list(richOption, { min: 1 }),
    },
    initialAmongOptions,
  ),
  static_select: object(
    { ...ask, ...focus, ...staticOptions, placeholder, initial_option: plainOption },
    oneSourceOfOptions,
    initialAmongOptions,
  ),
  external_select: object({
    ...ask,
    ...focus,
    placeholder,
    initial_option: plainOption,
    min_query_length: integer(0, 150),
  }),
  multi_static_select: object(
    {
      ...ask,
      ...focus,
      ...staticOptions,
      ...several,
      placeholder,
      initial_options: list(plainOption, { min: 1, max: 100 }),
    },
    oneSourceOfOptions,
    initialAmongOptions,
    initialWithinMost,
  ),
  multi_external_select: object(
    {
      ...ask,
      ...focus,
      ...several,
      placeholder,
      initial_options: list(plainOption, { min: 1, max: 100 }),
      min_query_length: integer(0, 150),
    },
    initialWithinMost,
  ),
  users_select: object({ ...ask, ...focus, placeholder, initial_user: string() }),
  plain_text_input: object(
    {
      ...base,
      ...focus,
      placeholder,
      dispatch_action_config,
      initial_value: string({ min: 0, max: 3000 }),
      multiline: boolean,
      min_length: integer(0, 3000),
      max_length: integer(1, 3000),
    },
    lengthsInOrder,
  ),
  number_input: object(
    {
      ...base,
      ...focus,
      placeholder,
      dispatch_action_config,
      'is_decimal_allowed!': boolean,
      initial_value: decimal,
      min_value: decimal,
      max_value: decimal,
    },
    numbersInOrder,
  ),
};

/** Of actions blocks the types say yes and the documentation says no, so nothing is built on it. */
const MULTI = ['multi_static_select', 'multi_external_select'];
const CHOICES = ['static_select', 'external_select', 'users_select', 'checkboxes'];

const place = (...types: string[]): Check => byType(ELEMENTS, types);
export const inInput: Check = place(...CHOICES, ...MULTI, 'plain_text_input', 'number_input');
export const inActions: Check = place('button', ...CHOICES);
export const inSection: Check = place('button', 'image', ...CHOICES, ...MULTI);
