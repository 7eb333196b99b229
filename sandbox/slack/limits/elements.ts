import type { Dict } from '../json.ts';
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
import { richText } from './rich-text.ts';
import {
  confirm,
  initialAmongOptions,
  oneSourceOfOptions,
  optionGroup,
  plain,
  plainOption,
  richOption,
  urlOption,
} from './text.ts';

const type: Check = anything;
const action_id = string({ max: 255 });
const base = { type, action_id };
const focus = { focus_on_load: boolean };
const placeholder = plain(150);
const ask = { ...base, confirm };
const several = { max_selected_items: integer(1, 100) };
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
const filter = object({
  include: list(oneOf('im', 'mpim', 'private', 'public'), { min: 1 }),
  exclude_external_shared_channels: boolean,
  exclude_bot_users: boolean,
});
const feedback = object({
  'text!': plain(75),
  accessibility_label: string({ max: 75 }),
  'value!': string({ max: 2000 }),
});

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

export const ELEMENTS: Record<string, Check> = {
  button: object({
    ...ask,
    'text!': plain(75),
    value: string({ max: 2000 }),
    url,
    style,
    accessibility_label: string({ max: 75 }),
  }),
  workflow_button: object({
    ...ask,
    'text!': plain(75),
    'workflow!': anything,
    style,
    accessibility_label: string({ max: 75 }),
  }),
  icon_button: object({
    ...ask,
    'icon!': string(),
    'text!': plain(75),
    accessibility_label: string({ max: 75 }),
    value: string({ max: 2000 }),
    visible_to_user_ids: list(string()),
  }),
  feedback_buttons: object({ ...base, 'positive_button!': feedback, 'negative_button!': feedback }),
  overflow: object({ ...ask, 'options!': list(urlOption, { min: 1, max: 5 }) }),
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
  radio_buttons: object(
    { ...ask, ...focus, 'options!': list(richOption, { min: 1, max: 10 }), initial_option: richOption },
    initialAmongOptions,
  ),
  static_select: object(
    { ...ask, ...focus, ...staticOptions, placeholder, initial_option: plainOption },
    oneSourceOfOptions,
    initialAmongOptions,
  ),
  multi_static_select: object(
    { ...ask, ...focus, ...several, ...staticOptions, placeholder, initial_options: list(plainOption, { min: 1 }) },
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
  multi_external_select: object({
    ...ask,
    ...focus,
    ...several,
    placeholder,
    initial_options: list(plainOption, { min: 1 }),
    min_query_length: integer(0, 150),
  }),
  users_select: object({ ...ask, ...focus, placeholder, initial_user: string() }),
  multi_users_select: object({ ...ask, ...focus, ...several, placeholder, initial_users: list(string()) }),
  channels_select: object({ ...ask, ...focus, placeholder, initial_channel: string(), response_url_enabled: boolean }),
  multi_channels_select: object({ ...ask, ...focus, ...several, placeholder, initial_channels: list(string()) }),
  conversations_select: object({
    ...ask,
    ...focus,
    placeholder,
    filter,
    initial_conversation: string(),
    default_to_current_conversation: boolean,
    response_url_enabled: boolean,
  }),
  multi_conversations_select: object({
    ...ask,
    ...focus,
    ...several,
    placeholder,
    filter,
    initial_conversations: list(string()),
    default_to_current_conversation: boolean,
  }),
  datepicker: object({ ...ask, ...focus, placeholder, initial_date: matching(/^\d{4}-\d\d-\d\d$/, 'YYYY-MM-DD') }),
  timepicker: object({
    ...ask,
    ...focus,
    placeholder,
    initial_time: matching(/^\d\d:\d\d$/, 'HH:mm'),
    timezone: string(),
  }),
  datetimepicker: object({ ...ask, ...focus, initial_date_time: integer(1_000_000_000, 9_999_999_999) }),
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
  email_text_input: object({ ...base, ...focus, placeholder, dispatch_action_config, initial_value: string() }),
  url_text_input: object({ ...base, ...focus, placeholder, dispatch_action_config, initial_value: string() }),
  rich_text_input: object({
    ...base,
    ...focus,
    placeholder,
    dispatch_action_config,
    initial_value: richText,
    min_lines: integer(1, 100),
    max_lines: integer(1, 100),
  }),
  file_input: object({ ...base, filetypes: list(string(), { min: 1 }), max_files: integer(1, 10) }),
};

const SELECTS = ['users_select', 'static_select', 'conversations_select', 'channels_select', 'external_select'];
const MULTI = SELECTS.map((name) => `multi_${name}`);
const CHOICES = ['checkboxes', 'radio_buttons', 'datepicker', 'timepicker'];
const TYPED = [
  'plain_text_input',
  'number_input',
  'email_text_input',
  'url_text_input',
  'rich_text_input',
  'file_input',
];

const place = (...types: string[]): Check => byType(ELEMENTS, types);
export const inInput: Check = place(...SELECTS, ...MULTI, ...CHOICES, 'datetimepicker', ...TYPED);
export const inActions: Check = place(
  'button',
  'workflow_button',
  'overflow',
  'datetimepicker',
  'rich_text_input',
  ...SELECTS,
  ...MULTI,
  ...CHOICES,
);
export const inSection: Check = place(
  'button',
  'workflow_button',
  'overflow',
  'image',
  ...SELECTS,
  ...MULTI,
  ...CHOICES,
);
export const inContextActions: Check = place('feedback_buttons', 'icon_button');
export const buttonOnly: Check = place('button');
