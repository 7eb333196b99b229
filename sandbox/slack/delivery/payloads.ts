import { randomUUID } from 'node:crypto';
import type { Core } from '../core.ts';
import { bareValue } from '../inputs.ts';
import type { Dict } from '../json.ts';
import { messageOutput } from '../messages.ts';
import { actingId, findPerson } from '../people.ts';
import { issueResponseUrl } from '../response-urls.ts';
import { issueTrigger } from '../triggers.ts';
import type { Message, StateValue, ViewRecord } from '../types.ts';
import { viewOutput } from '../views.ts';
import { directWith } from '../world.ts';

const personOf = (core: Core, user: string) => findPerson(core.state, user);

function userOutput(core: Core, user: string): Dict {
  const person = personOf(core, user);
  const name = person?.name ?? user;
  return { id: actingId(core.state, user), username: name, name, team_id: person?.teamId ?? core.state.team.id };
}

/** What every interaction carries. */
function envelope(core: Core, type: string, user: string): Dict {
  const { team, bot } = core.state;
  return {
    type,
    team: { id: team.id, domain: team.domain },
    user: userOutput(core, user),
    api_app_id: bot.appId,
    token: core.tokens.verification,
    enterprise: null,
    is_enterprise_install: false,
  };
}

export function channelName(core: Core, channel: string): string {
  const known = core.state.channels[channel];
  return known ? (known.isPrivate ? 'privategroup' : known.name) : 'directmessage';
}

export function commandBody(core: Core, user: string, command: string, text: string, channel: string): Dict {
  const { team, bot } = core.state;
  return {
    token: core.tokens.verification,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel,
    channel_name: channelName(core, channel),
    user_id: actingId(core.state, user),
    user_name: personOf(core, user)?.name ?? user,
    command,
    text,
    api_app_id: bot.appId,
    is_enterprise_install: 'false',
    response_url: issueResponseUrl(core, user, channel, null),
    trigger_id: issueTrigger(core, user, null),
  };
}

/** The acted-on element in the payload: its own fields, where it stands, and what was chosen. */
export function actionOutput(core: Core, blockId: string, element: Dict, value?: StateValue): Dict {
  const kept = [
    'type',
    'action_id',
    'text',
    'value',
    'url',
    'style',
    'placeholder',
    'confirm',
    'initial_option',
    'initial_options',
    'initial_value',
  ];
  const chosen = value && bareValue(value) !== undefined ? value : {};
  return {
    ...Object.fromEntries(kept.flatMap((name) => (element[name] === undefined ? [] : [[name, element[name]]]))),
    ...chosen,
    block_id: blockId,
    action_ts: core.ids.ts(core.now()),
  };
}

export function viewActionBody(core: Core, view: ViewRecord, action: Dict): Dict {
  return {
    ...envelope(core, 'block_actions', view.user),
    container: { type: 'view', view_id: view.id },
    trigger_id: issueTrigger(core, view.user, view.type === 'modal' ? view.id : null),
    view: viewOutput(core, view),
    actions: [action],
  };
}

export function messageActionBody(core: Core, user: string, message: Message, action: Dict): Dict {
  const isEphemeral = message.ephemeralTo !== undefined;
  return {
    ...envelope(core, 'block_actions', user),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
      ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    },
    trigger_id: issueTrigger(core, user, null),
    channel: { id: message.channel, name: channelName(core, message.channel) },
    // Slack does not send the content of an ephemeral message back.
    ...(isEphemeral ? {} : { message: messageOutput(core, message) }),
    state: { values: {} },
    response_url: issueResponseUrl(core, user, message.channel, message.ts),
    actions: [action],
  };
}

/**
 * Of a shortcut Slack sends less than of a click: there is no `api_app_id`, and it names the person by other fields
 * (the shapes are those of the SDKs' types and samples).
 */
function shortcutBody(core: Core, type: string, user: string, callbackId: string): Dict {
  const { api_app_id: _app, user: _user, ...rest } = envelope(core, type, user);
  return {
    ...rest,
    callback_id: callbackId,
    trigger_id: issueTrigger(core, user, null),
    action_ts: core.ids.ts(core.now()),
  };
}

export function globalShortcutBody(core: Core, user: string, callbackId: string): Dict {
  const { id, username, team_id } = userOutput(core, user);
  return { ...shortcutBody(core, 'shortcut', user, callbackId), user: { id, username, team_id } };
}

export function messageShortcutBody(core: Core, user: string, message: Message, callbackId: string): Dict {
  const { id, name } = userOutput(core, user);
  return {
    ...shortcutBody(core, 'message_action', user, callbackId),
    user: { id, name },
    channel: { id: message.channel, name: channelName(core, message.channel) },
    message_ts: message.ts,
    message: messageOutput(core, message),
    response_url: issueResponseUrl(core, user, message.channel, null),
  };
}

export function suggestionBody(
  core: Core,
  view: ViewRecord,
  staleView: Dict,
  blockId: string,
  actionId: string,
  value: string,
): Dict {
  return {
    ...envelope(core, 'block_suggestion', view.user),
    container: { type: 'view', view_id: view.id },
    block_id: blockId,
    action_id: actionId,
    value,
    view: staleView,
  };
}

export function submissionBody(core: Core, view: ViewRecord): Dict {
  return {
    ...envelope(core, 'view_submission', view.user),
    trigger_id: issueTrigger(core, view.user, view.id),
    view: viewOutput(core, view),
    response_urls: [],
  };
}

export function closedBody(core: Core, view: ViewRecord, isCleared: boolean): Dict {
  return { ...envelope(core, 'view_closed', view.user), view: viewOutput(core, view), is_cleared: isCleared };
}

export function eventBody(core: Core, event: Dict): Dict {
  const { team, bot } = core.state;
  const id = `Ev${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`;
  const at = Math.floor(core.now() / 1000);
  return {
    token: core.tokens.verification,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: bot.appId,
    event: { event_ts: core.ids.ts(core.now()), ...event },
    type: 'event_callback',
    event_id: id,
    event_time: at,
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: bot.userId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  };
}

export function homeOpenedEvent(core: Core, user: string, tab: 'home' | 'messages'): Dict {
  const home = core.state.views[core.state.homes[user] ?? ''];
  return {
    type: 'app_home_opened',
    user: actingId(core.state, user),
    channel: directWith(core, user),
    tab,
    ...(home && tab === 'home' ? { view: viewOutput(core, home) } : {}),
  };
}
