import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiCall, Delivery, Hands, Message, ViewRecord } from '../../sandbox/slack/index.ts';
import type { Site } from '../support/site.ts';
import type { Side } from './figures.ts';

/** What people do, each as one click whose ack is waited for. */
export interface Kind {
  readonly what: string;
  /** How many of them a run makes, at most. Where the same people cannot click again, each wants a form or a request of its own. */
  readonly most: number;
  /** The same people can click again and again. */
  readonly again?: true;
  /** The product decides something: one durable commit. */
  readonly commits?: boolean;
  /** What it decides is sent, which takes calls for rights too: so few warm up before few decide one after the other. */
  readonly warmUpAlone?: number;
  readonly asksVendor?: boolean;
  readonly by?: 'lead';
  /** The command that opens the other side's view of it. */
  readonly openedBy?: string;
  /** Brings this person to where the click can be made, on the product's side and on the other's. */
  readonly prepare: (site: Site, nth: number, side: Side) => Promise<void>;
  readonly click: (site: Site, nth: number) => Promise<unknown>;
}

/** So many click before anything is measured: until then code and caches are cold. */
export const WARM_UP = 1_000;

/** Each wants a form or a request of their own. */
const FORMS = 200;

/** So many people, each with a screen of their own, and so many who decide. */
export const PEOPLE = WARM_UP + FORMS;

const buyer = (site: Site, nth: number): Hands => site.slack.as(`U0P${nth % PEOPLE}`);
const lead = (site: Site, nth: number): Hands => site.slack.as(`U0L${nth % PEOPLE}`);

/** Everybody whom a crowd is made of. */
export async function invite(site: Site, buyers = PEOPLE): Promise<void> {
  const ids = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `U0${letter}${n}`);
  const [people, leads] = [ids('P', buyers), ids('L', PEOPLE)];
  for (const id of [...people, ...leads]) site.slack.world.setPerson(id, { name: id.toLowerCase() });
  await site.slack.world.setGroup('S0TEAM', { members: [...people, ...leads] });
  await site.slack.world.setGroup('S0BUYERS', { members: people });
  await site.slack.world.setGroup('S0LEADS', { members: leads });
  site.slack.world.setChannel('C0APPROVALS', { members: [...people, ...leads] });
}

const closed = async (person: Hands) => {
  if (person.screen.modal) await person.close({ all: true });
};

/** Until the person's modal reads so. */
const shows = (person: Hands, text: RegExp) =>
  person.waitFor((screen) => screen.modal?.submit && text.test(person.read(screen.modal)));

/** On the other side a modal is opened by a command of its own, with the view that the product's had. */
const opened = async (person: Hands, side: Side, command: string, script: string) => {
  await closed(person);
  await person.command('/proxy', side === 'ours' ? command : script);
  await shows(person, side === 'ours' ? /Balance: (?!reading)/ : /./);
};

let asked = 0;
/** Content that nobody has asked for. */
function other(): string {
  asked += 1;
  return `US ${1 + (asked % 200)}, DE ${1 + Math.floor(asked / 200)}`;
}

async function toReview(site: Site, nth: number, side: Side): Promise<void> {
  const person = buyer(site, nth);
  if (side === 'bare') return opened(person, side, '', 'open-review');
  await opened(person, side, `buy ${other()}`, '');
  await person.type('Reason', 'for the crawler');
  await person.submit('Review');
  await shows(person, /Ask for approval/);
}

async function toDecision(site: Site, nth: number, side: Side): Promise<void> {
  const person = lead(site, nth);
  if (side === 'bare') return opened(person, side, '', 'open-decision');
  await toReview(site, nth, side);
  const { messages } = site.slack.state;
  const before = messages.length;
  await buyer(site, nth).submit('Ask for approval');
  const mention = `<@U0P${nth % PEOPLE}>`;
  // Nobody reads the whole channel to find it: that would slow down everybody.
  const isOurs = ({ channel, blocks }: Message) =>
    channel === 'C0APPROVALS' && JSON.stringify(blocks).includes(mention);
  const card = await person.waitFor(() => messages.slice(before).find(isOurs));
  await closed(person);
  await person.pressOn(card, 'Approve');
  await shows(person, /Approve/);
}

export const KINDS: readonly Kind[] = [
  {
    what: '`/proxy help`',
    again: true,
    most: 2_000,
    prepare: async () => {},
    click: (site, nth) => buyer(site, nth).command('/proxy', 'help'),
  },
  {
    what: '`/proxy balance`',
    again: true,
    most: 500,
    asksVendor: true,
    prepare: async () => {},
    click: (site, nth) => buyer(site, nth).command('/proxy', 'balance'),
  },
  {
    what: 'the buy modal',
    most: FORMS,
    asksVendor: true,
    prepare: (site, nth) => closed(buyer(site, nth)),
    click: (site, nth) => buyer(site, nth).command('/proxy', 'buy US 1'),
  },
  {
    what: '**Add country**',
    openedBy: 'open-form',
    most: FORMS,
    prepare: (site, nth, side) => opened(buyer(site, nth), side, 'buy US 1', 'open-form'),
    click: (site, nth) => buyer(site, nth).press('Add country'),
  },
  {
    what: 'type-ahead',
    again: true,
    most: 1_000,
    prepare: (site, nth, side) => opened(buyer(site, nth), side, 'buy US 1', 'open-form'),
    click: (site, nth) => buyer(site, nth).suggest('Country', 'ger'),
  },
  {
    what: 'a submit that files',
    openedBy: 'open-review',
    most: FORMS,
    commits: true,
    prepare: toReview,
    click: (site, nth) => buyer(site, nth).submit('Ask for approval'),
  },
  {
    what: 'a submit that approves',
    openedBy: 'open-decision',
    by: 'lead',
    most: FORMS,
    commits: true,
    warmUpAlone: 3,
    prepare: toDecision,
    click: (site, nth) => lead(site, nth).submit('Approve'),
  },
];

export interface Step {
  readonly before: readonly Pick<ApiCall, 'method' | 'args'>[];
  readonly ack: unknown;
  readonly after: readonly Pick<ApiCall, 'method' | 'args'>[];
  readonly commits: boolean;
  readonly asksVendor: boolean;
}

/** What the product does for each of these clicks, for the other side to do the same. */
export async function record(site: Site): Promise<Readonly<Record<string, Step>>> {
  const { slack } = site;
  const script: Record<string, Step> = {};
  const opening = (view: unknown): Step => ({
    before: [],
    ack: null,
    after: [{ method: 'views.open', args: { trigger_id: 'its own', view: view as string } }],
    commits: false,
    asksVendor: false,
  });
  for (const { what, commits = false, asksVendor = false, openedBy, by: opensFor, prepare, click } of KINDS) {
    await prepare(site, 0, 'ours');
    await quiet(site);
    const shown = (opensFor === 'lead' ? lead : buyer)(site, 0).screen.modal;
    if (shown && openedBy) script[`command ${openedBy}`] = opening(fromRecord(shown));
    const [calls, deliveries] = [slack.calls.length, slack.deliveries.length];
    await click(site, 0);
    const untilAck = slack.calls.length;
    await quiet(site);
    const delivery = slack.deliveries[deliveries];
    if (!delivery) throw new Error(`nothing was delivered for ${what}`);
    const made = (from: number, until?: number) =>
      slack.calls.slice(from, until).map(({ method, args }) => ({ method, args: plain(args) }));
    script[keyOf(delivery)] = {
      // Rights are asked for before a decision is acknowledged; all else comes after.
      before: commits ? made(calls, untilAck) : [],
      ack: delivery.ack,
      after: made(commits ? untilAck : calls),
      commits,
      asksVendor,
    };
  }
  return script;
}

function keyOf({ type, body }: Delivery): string {
  const { text, view, actions } = body as {
    text?: string;
    view?: { callback_id?: string };
    actions?: { action_id: string }[];
  };
  if (type === 'command') return `command ${text?.split(' ')[0]}`;
  if (type === 'block_actions') return `action ${actions?.[0]?.action_id}`;
  return type === 'view_submission' ? `view ${view?.callback_id}` : 'options';
}

/** Without what is of one view or one caller. */
function plain(args: ApiCall['args']): ApiCall['args'] {
  const { token: _, hash: __, view, ...others } = args as Record<string, unknown>;
  return {
    ...others,
    ...(view === undefined ? {} : { view: viewOf(typeof view === 'string' ? JSON.parse(view) : view) }),
  } as ApiCall['args'];
}

function fromRecord({ title, blocks, close, submit, privateMetadata, callbackId }: ViewRecord): unknown {
  return viewOf({
    type: 'modal',
    title,
    blocks,
    close,
    submit,
    private_metadata: privateMetadata,
    callback_id: callbackId,
  });
}

/** As it is given to Slack. */
function viewOf(view: object): unknown {
  const { type, title, blocks, close, submit, private_metadata, callback_id, notify_on_close } = view as Record<
    string,
    unknown
  >;
  const all = { type, title, blocks, close, submit, private_metadata, callback_id, notify_on_close };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

const QUIET_MS = 400;

/** Until nothing has been asked of Slack for a while. */
export async function quiet(site: Site): Promise<void> {
  for (let before = -1; before !== site.slack.calls.length; ) {
    before = site.slack.calls.length;
    await sleep(QUIET_MS);
  }
}
