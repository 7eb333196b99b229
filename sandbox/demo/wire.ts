import type { Dict } from '../slack/json.ts';
import type {
  BotIdentity,
  Channel,
  Message,
  Person,
  Shortcut,
  StateValue,
  Team,
  UserGroup,
  ViewRecord,
  Violation,
} from '../slack/types.ts';
import type { LocalVendorView, Misbehaviour } from '../vendor-api/index.ts';

// What the page and its server say to each other. Types only: both sides import it.

/** What the Slack client knows of the app: read from manifest.yml, as Slack reads it. */
export interface AppListing {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly { readonly command: string; readonly description: string; readonly usageHint: string }[];
  readonly messagesTab: 'open' | 'read_only' | 'off';
}

/** A message with the people whom it notified when it was posted. */
export interface ShownMessage extends Message {
  readonly mentions: readonly string[];
}

/** One payload, either way, with its answer once there is one. */
export interface Trace {
  readonly id: string;
  readonly at: number;
  readonly direction: 'to_bot' | 'from_bot';
  readonly name: string;
  /** The id of whom or what it is about: a person, a channel, a group. */
  readonly about: string | null;
  readonly status: 'open' | 'ok' | 'failed';
  /** Milliseconds until the acknowledgement or answer. */
  readonly ms: number | null;
  readonly note: string | null;
  readonly payload: unknown;
  readonly answer: unknown;
}

export interface BotStatus {
  readonly state: 'starting' | 'ready' | 'stopped';
  readonly pid: number;
  readonly detail: string;
}

export interface Snapshot {
  readonly team: Team;
  readonly bot: BotIdentity;
  readonly app: AppListing;
  readonly shortcuts: readonly Shortcut[];
  readonly hasHomeTab: boolean;
  readonly roles: Readonly<Record<string, string>>;
  readonly people: Readonly<Record<string, Person>>;
  readonly groups: Readonly<Record<string, UserGroup>>;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly directs: Readonly<Record<string, string>>;
  readonly messages: readonly ShownMessage[];
  /** person → the open modal's views, bottom first. */
  readonly stacks: Readonly<Record<string, readonly ViewRecord[]>>;
  /** person → what the app has published in its Home tab. */
  readonly homes: Readonly<Record<string, ViewRecord>>;
  /** How far the time of the sandbox has been put forward. */
  readonly aheadMs: number;
  readonly traces: readonly Trace[];
  readonly violations: readonly Violation[];
  readonly vendor: LocalVendorView;
  readonly botStatus: BotStatus;
  /** Lists the bot's ledger, in a shell. */
  readonly ledgerCommand: string;
  readonly log: readonly string[];
}

export type World = Pick<Snapshot, 'people' | 'groups' | 'channels' | 'directs'>;

export type Push =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'message'; readonly message: ShownMessage }
  | { readonly type: 'views'; readonly user: string; readonly stack: readonly ViewRecord[] }
  | { readonly type: 'home'; readonly view: ViewRecord }
  | { readonly type: 'clock'; readonly aheadMs: number }
  | { readonly type: 'world'; readonly world: World }
  | { readonly type: 'trace'; readonly trace: Trace }
  | { readonly type: 'violation'; readonly violation: Violation }
  | { readonly type: 'vendor'; readonly vendor: LocalVendorView }
  | { readonly type: 'bot'; readonly status: BotStatus }
  | { readonly type: 'log'; readonly line: string };

export interface MessageCopy {
  readonly channel: string;
  readonly ts: string;
  /** The count of edits: somebody may still look at an old copy. */
  readonly edits: number;
}

type InView = { readonly view: string; readonly block: string; readonly action: string };

/** What somebody does in the page. */
export type Act =
  | {
      readonly do: 'command';
      readonly user: string;
      readonly channel: string;
      readonly command: string;
      readonly text: string;
    }
  | {
      readonly do: 'say';
      readonly user: string;
      readonly channel: string;
      readonly text: string;
      readonly threadTs?: string | undefined;
    }
  | (InView & { readonly do: 'enter'; readonly value: StateValue })
  | (InView & { readonly do: 'act'; readonly value?: StateValue | undefined })
  | (InView & { readonly do: 'suggest'; readonly query: string })
  | {
      readonly do: 'act_on_message';
      readonly user: string;
      readonly on: MessageCopy;
      readonly block: string;
      readonly action: string;
      readonly value?: StateValue | undefined;
    }
  | { readonly do: 'open_app'; readonly user: string; readonly tab: 'home' | 'messages' }
  | {
      readonly do: 'shortcut';
      readonly user: string;
      readonly callbackId: string;
      /** The message from whose menu it was run, in the copy that is on the screen. */
      readonly on?: MessageCopy | undefined;
    }
  | { readonly do: 'put_forward'; readonly ms: number }
  | { readonly do: 'submit'; readonly view: string }
  | { readonly do: 'close'; readonly user: string; readonly all: boolean }
  /** Money moves without the bot: somebody else spends it, or adds some. */
  | { readonly do: 'vendor_console'; readonly what: 'buy' | 'top_up'; readonly amount: string }
  | { readonly do: 'vendor_set'; readonly balance?: string | undefined; readonly pricePerIp?: string | undefined }
  | { readonly do: 'vendor_next'; readonly endpoint: VendorEndpoint; readonly misbehaviour: Misbehaviour }
  | { readonly do: 'vendor_behave' }
  | { readonly do: 'vendor_release' }
  | { readonly do: 'bot_restart'; readonly how: 'stop' | 'crash' };

export type VendorEndpoint = 'connection' | 'balance' | 'create' | 'renew';

/** What comes back at once; everything that changes on the screen comes by push. */
export type ActResult =
  | { readonly ok: true; readonly failure: string | null; readonly options?: readonly Dict[] }
  | { readonly ok: false; readonly error: string };
