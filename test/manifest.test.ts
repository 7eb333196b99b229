import { readFileSync } from 'node:fs';
import type { AppsManifestValidateArguments } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMAND } from '../commands/index.ts';
import { GROUP_EVENTS } from '../src/runtime/app.ts';
import { newAppUrl } from '../src/setup/manifest.ts';
import { SCOPES as CHECKED_AT_START } from '../src/slack/checks.ts';
import { SHORTCUT } from '../views/ids.ts';

type Manifest = AppsManifestValidateArguments['manifest'];
type Scope = NonNullable<NonNullable<NonNullable<Manifest['oauth_config']>['scopes']>['bot']>[number];
type BotEvent = NonNullable<
  NonNullable<NonNullable<Manifest['settings']>['event_subscriptions']>['bot_events']
>[number];

/**
 * What the code relies on. `satisfies` holds each against the names that the SDK knows, so that a misspelt scope or event does
 * not compile; Slack's own schema would let it pass.
 */
const EVENTS = [...GROUP_EVENTS, 'app_home_opened'] satisfies readonly BotEvent[];
/** With the Web API methods, or the surface, that need each. */
const SCOPES = {
  commands: 'the slash command, shortcuts',
  'chat:write': 'chat.postMessage, chat.update, chat.postEphemeral',
  'files:write': 'files.getUploadURLExternal, files.completeUploadExternal',
  'im:write': 'conversations.open',
  'usergroups:read': 'usergroups.users.list, subteam_* events',
  'users:read': 'users.info',
  'users:read.email': 'users.lookupByEmail',
  'channels:read': 'conversations.info of a public channel',
  'groups:read': 'conversations.info and conversations.members of a private channel',
} as const satisfies Partial<Record<Scope, string>>;

const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');

/** What the head of the file tells people to do for HTTP mode. */
const httpText = text.replaceAll('#http ', '').replace('socket_mode_enabled: true', 'socket_mode_enabled: false');

const address = z
  .string()
  .max(3000)
  .regex(/^https:\/\/[^/]+\/slack\/events$/);

/** The part of Slack's manifest that is used here, with Slack's limits: whatever else is in the file is a mistake. */
const schema = z.strictObject({
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({
      display_name: z
        .string()
        .max(80)
        .regex(/^[a-z0-9._-]+$/),
      always_online: z.boolean(),
    }),
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(true),
    }),
    slash_commands: z.tuple([
      z.strictObject({
        command: z
          .string()
          .max(32)
          .regex(/^\/[a-z]+$/),
        url: address.optional(),
        description: z.string().min(1).max(2000),
        usage_hint: z.string().max(1000),
        should_escape: z.boolean(),
      }),
    ]),
    shortcuts: z.array(
      z.strictObject({
        name: z.string().max(24),
        type: z.enum(['global', 'message']),
        callback_id: z.string().max(255),
        description: z.string().max(150),
      }),
    ),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()).max(255) }) }),
  settings: z.strictObject({
    socket_mode_enabled: z.boolean(),
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: address.optional(),
      message_menu_options_url: address.optional(),
    }),
    event_subscriptions: z.strictObject({ request_url: address.optional(), bot_events: z.array(z.string()).max(100) }),
    org_deploy_enabled: z.literal(false),
    token_rotation_enabled: z.literal(false),
  }),
});

/** Every address at which Slack would call. */
function addresses({ features, settings }: z.infer<typeof schema>) {
  const { request_url, message_menu_options_url } = settings.interactivity;
  return [
    features.slash_commands[0].url,
    request_url,
    message_menu_options_url,
    settings.event_subscriptions.request_url,
  ];
}

describe('the manifest', () => {
  const manifest = schema.parse(parse(text));

  test('asks for the scopes that the code needs, and no other', () => {
    expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(Object.keys(SCOPES).sort());
  });

  test('subscribes to the events that the code handles, and no other', () => {
    expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual([...EVENTS].sort());
  });

  test('has the command that the code answers', () => {
    expect(manifest.features.slash_commands[0].command).toBe(COMMAND);
  });

  test('has the shortcuts that the code answers', () => {
    expect(manifest.features.shortcuts.map(({ callback_id }) => callback_id)).toEqual(Object.values(SHORTCUT));
  });

  test('is for Socket Mode as it stands, with no address in it', () => {
    expect(manifest.settings.socket_mode_enabled).toBe(true);
    expect(addresses(manifest)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('for HTTP mode has one https address in all four places, the options of the Country field included', () => {
    const http = schema.parse(parse(httpText));
    expect(http.settings.socket_mode_enabled).toBe(false);
    const [first, ...others] = addresses(http);
    expect(first).toMatch(/^https:/);
    expect(others).toEqual([first, first, first]);
  });

  test('differs between the modes in nothing else', () => {
    const http = parse(httpText.replace(/^ *(?:url|request_url|message_menu_options_url):.*\n/gm, ''));
    http.settings.socket_mode_enabled = true;
    expect(http).toEqual(parse(text));
  });
});

describe('the address that makes the app', () => {
  const carried = (address: string) => {
    const { origin, pathname, searchParams } = new URL(address);
    expect({ at: origin + pathname, new: searchParams.get('new_app') }).toEqual({
      at: 'https://api.slack.com/apps',
      new: '1',
    });
    // Servers take 8,000; and a terminal takes nothing for a part of an address but these.
    expect(address.length).toBeLessThan(4_000);
    expect(address).toMatch(/^[\w:/.?=&%~-]+$/);
    return JSON.parse(searchParams.get('manifest_json') ?? '') as unknown;
  };

  test('carries the manifest for Socket Mode', () => {
    expect(carried(newAppUrl(text, undefined))).toEqual(parse(text));
  });

  test('carries for HTTP mode what the head of the file tells people to do', () => {
    const requestUrl = 'https://proxy-desk.example.com/slack/events';
    expect(carried(newAppUrl(text, requestUrl))).toEqual(parse(httpText));
    const other = 'https://desk.example.org:8443/slack/events';
    const manifest = schema.parse(carried(newAppUrl(text, other)));
    expect(addresses(manifest)).toEqual([other, other, other, other]);
  });
});

test('start-up looks for just the scopes that the manifest asks for', () => {
  expect(Object.keys(CHECKED_AT_START).sort()).toEqual(Object.keys(SCOPES).sort());
});
