import type { IdKind, Shortcut } from './types.ts';

/** Switches a test may flip while the server runs. */
export interface Settings {
  /** Slack gives an app 3,000 ms; a smaller number lets a test prove lateness without sleeping. */
  ackLimitMs: number;
  /** true: a late acknowledgement is no violation. */
  allowLateAck: boolean;
  /** true: Slack answers the closing handshake of a socket and leaves TCP open, until `sockets.releaseTcp()` or the app ends it. */
  keepTcpOpen: boolean;
  /** true: more calls than a method's tier allows are answered 429 with Retry-After. */
  enforceTiers: boolean;
  /** A click on a connection that ended before its acknowledgement: gone, or sent again over the next one. Both are reported. */
  unackedAtClose: 'lost' | 'redelivered';
  homeTabEnabled: boolean;
  messagesTabEnabled: boolean;
  /**
   * How the state reports an `initial_*` that came by an update (`views.update` or `response_action: update`), until the
   * person has touched that element: as shown, not at all, or as empty. All three are seen of the real one.
   */
  presetsByUpdate: 'reported' | 'missing' | 'null';
  /** `id` of users.info for a person with two: the one asked for, or always the same. */
  usersInfoId: 'asked' | IdKind;
  /** true: usergroups.list leaves `users` out although `include_users` was asked for. */
  omitGroupUsers: boolean;
  /** false: charts (`data_visualization`) are refused as a kind of block that this workspace does not know. */
  takesCharts: boolean;
  scopes: string[];
  /** How far the Date header of its answers is ahead of this machine's clock, in ms. */
  clockAheadMs: number;
  shortcuts: Shortcut[];
  /** Event types the app is subscribed to. */
  events: string[];
}

export function defaultSettings(): Settings {
  return {
    ackLimitMs: 3_000,
    allowLateAck: false,
    keepTcpOpen: false,
    unackedAtClose: 'lost',
    enforceTiers: false,
    homeTabEnabled: true,
    messagesTabEnabled: true,
    presetsByUpdate: 'missing',
    usersInfoId: 'asked',
    omitGroupUsers: false,
    takesCharts: true,
    scopes: [
      'commands',
      'chat:write',
      'usergroups:read',
      'users:read',
      'users:read.email',
      'files:write',
      'im:write',
      'channels:read',
      'groups:read',
      'im:read',
    ],
    clockAheadMs: 0,
    shortcuts: [],
    events: ['app_home_opened', 'subteam_members_changed', 'subteam_updated'],
  };
}
