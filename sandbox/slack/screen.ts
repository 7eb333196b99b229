import { late } from '../../src/late.ts';
import type { Core } from './core.ts';
import { channelsOf, isMember } from './people.ts';
import { foldedTexts, renderText } from './text.ts';
import type { Message, ViewRecord } from './types.ts';
import { stackOf } from './views.ts';

/** What one person can see at this moment. Messages and view records are replaced on change, so old ones stay as they were. */
export interface Screen {
  user: string;
  /** The top of the open modal. */
  modal: ViewRecord | undefined;
  /** The whole open modal, bottom first. */
  views: ViewRecord[];
  home: ViewRecord | undefined;
  /** Direct messages with the bot. */
  dm: Message[];
  /** By channel name. */
  channels: Record<string, Message[]>;
  ephemerals: Message[];
  /** The thread under a message, oldest first; `dm` and `channels` show of it only what was also sent to the channel. */
  replies: (message: Pick<Message, 'channel' | 'ts'>) => Message[];
  /** Everything above together, oldest first. */
  messages: Message[];
  /** What of all these messages is behind "See more". */
  folded: string[];
  text(): string;
}

/** What is not asked of it is not worked out: somebody who waits looks again after every event. */
export function screenOf(core: Core, user: string): Screen {
  const { state } = core;
  const then = [...state.messages];
  const dmId = state.directs[user];
  const mine = channelsOf(state, user);
  const messages = late(() => then.filter((message) => !message.deleted && canSee(core, user, message)));
  const lasting = late(() => messages().filter((message) => message.ephemeralTo === undefined));
  const standing = late(() => lasting().filter((message) => message.threadTs === undefined || message.broadcast));
  const views = stackOf(core, user);
  const screen: Screen = {
    user,
    views,
    modal: views.at(-1),
    home: state.views[state.homes[user] ?? ''],
    get dm() {
      return standing().filter((message) => message.channel === dmId);
    },
    get channels() {
      return Object.fromEntries(mine.map(({ id, name }) => [name, standing().filter((m) => m.channel === id)]));
    },
    get ephemerals() {
      return messages().filter((message) => message.ephemeralTo === user);
    },
    replies: ({ channel, ts }) => lasting().filter((m) => m.channel === channel && m.threadTs === ts),
    get messages() {
      return messages();
    },
    get folded() {
      return messages().flatMap((message) => foldedTexts(message, state));
    },
    text: () => describe(core, screen),
  };
  return screen;
}

/** Also true of a deleted message, or of an old copy of one: somebody may still have it on the screen. */
export function canSee({ state }: Core, user: string, { channel, ephemeralTo }: Message): boolean {
  if (ephemeralTo !== undefined) return ephemeralTo === user;
  return state.directs[user] === channel || isMember(state, state.channels[channel], user);
}

function describe(core: Core, { user, views, dm, channels, ephemerals, home, replies }: Screen): string {
  const threadUnder = (thing: Message | ViewRecord) =>
    ('ts' in thing ? replies(thing) : []).map((reply) => `  ↳ ${renderText(reply, core.state)}`);
  const section = (title: string, shown: (Message | ViewRecord)[]) =>
    shown.length === 0
      ? []
      : [`--- ${title}`, ...shown.flatMap((thing) => [renderText(thing, core.state), ...threadUnder(thing)])];
  return [
    `What ${core.state.people[user]?.name ?? user} sees:`,
    ...section('home', home ? [home] : []),
    ...Object.entries(channels).flatMap(([name, shown]) => section(`#${name}`, shown)),
    ...section('direct messages', dm),
    ...section('only visible to you', ephemerals),
    ...views.flatMap((view, index) => section(index === views.length - 1 ? 'open modal' : 'modal beneath', [view])),
  ].join('\n');
}
