import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SlackOptions } from '../slack/index.ts';
import type { Shortcut } from '../slack/types.ts';
import type { AppListing } from './wire.ts';

const MANIFEST = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

const manifestSchema = z.object({
  display_information: z.object({ name: z.string(), description: z.string().default('') }),
  features: z.object({
    app_home: z
      .object({
        home_tab_enabled: z.boolean().default(false),
        messages_tab_enabled: z.boolean().default(false),
        messages_tab_read_only_enabled: z.boolean().default(true),
      })
      .prefault({}),
    slash_commands: z
      .array(z.object({ command: z.string(), description: z.string(), usage_hint: z.string().default('') }))
      .default([]),
    shortcuts: z
      .array(
        z.object({
          name: z.string().max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().max(255),
          description: z.string().max(150).default(''),
        }),
      )
      .max(10)
      .default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()).default([]) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).prefault({}),
  }),
});

type Manifest = z.infer<typeof manifestSchema>;

const shortcutsOf = ({ features }: Manifest): Shortcut[] =>
  features.shortcuts.map(({ callback_id: callbackId, ...rest }) => ({ ...rest, callbackId }));

const readManifest = () => manifestSchema.parse(parse(readFileSync(MANIFEST, 'utf8')));

/** The app as its manifest describes it to Slack: what the client shows before the app has said a word. */
export function readAppListing(): AppListing {
  const { display_information, features } = readManifest();
  const home = features.app_home;
  return {
    name: display_information.name,
    description: display_information.description,
    commands: features.slash_commands.map(({ command, description, usage_hint: usageHint }) => ({
      command,
      description,
      usageHint,
    })),
    messagesTab: home.messages_tab_enabled ? (home.messages_tab_read_only_enabled ? 'read_only' : 'open') : 'off',
  };
}

/** What Slack grants and sends an app that was made from this manifest: no right and no event beyond it. */
export function installedAs(): NonNullable<SlackOptions['settings']> {
  const manifest = readManifest();
  const { features, oauth_config, settings } = manifest;
  return {
    scopes: oauth_config.scopes.bot,
    events: settings.event_subscriptions.bot_events,
    shortcuts: shortcutsOf(manifest),
    homeTabEnabled: features.app_home.home_tab_enabled,
    messagesTabEnabled: features.app_home.messages_tab_enabled,
  };
}
