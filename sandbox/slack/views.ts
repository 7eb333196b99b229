import { type Core, Refused, violate } from './core.ts';
import { inputsOf, stateValues, withIds } from './inputs.ts';
import { type Dict, dictAt, dictsAt, textAt } from './json.ts';
import type { ViewRecord } from './types.ts';

/** A modal holds the root and two pushed views. */
const STACK_MAX = 3;

/** What the app is told about a view: the real shape of `view` in answers and payloads. */
export function viewOutput(core: Core, view: ViewRecord): Dict {
  const { team, bot } = core.state;
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.privateMetadata,
    callback_id: view.callbackId,
    state: { values: stateValues(view.inputs, core.settings.presetsByUpdate) },
    hash: view.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: view.clearOnClose,
    notify_on_close: view.notifyOnClose,
    close: view.close,
    submit: view.submit,
    previous_view_id: view.previousViewId,
    root_view_id: view.rootViewId,
    app_id: bot.appId,
    external_id: view.externalId,
    app_installed_team_id: team.id,
    bot_id: bot.botId,
  };
}

export function stackOf(core: Core, user: string): ViewRecord[] {
  return (core.state.stacks[user] ?? []).flatMap((id) => core.state.views[id] ?? []);
}

export function openModal(core: Core, user: string, view: Dict): ViewRecord {
  closeFrom(core, user, 0);
  return place(core, user, view, null);
}

export function pushModal(core: Core, user: string, view: Dict): ViewRecord {
  const stack = stackOf(core, user);
  if (stack.length >= STACK_MAX) refuse(core, 'push_limit_reached', view);
  return place(core, user, view, stack.at(-1) ?? null);
}

function place(core: Core, user: string, view: Dict, previous: ViewRecord | null): ViewRecord {
  refuseTakenExternalId(core, textAt(view, 'external_id') ?? '', null);
  const id = core.ids.next('V0');
  const record = render(
    core,
    { id, user, rootViewId: previous?.rootViewId ?? id, previousViewId: previous?.id ?? null },
    view,
    null,
  );
  core.state.views[id] = record;
  core.state.stacks[user] = [...(core.state.stacks[user] ?? []), id];
  core.feed.emit({ type: 'view_opened', view: record });
  return record;
}

export function updateView(core: Core, current: ViewRecord, view: Dict, hash?: string): ViewRecord {
  if (hash !== undefined && hash !== '' && hash !== current.hash) throw new Refused('hash_conflict');
  refuseTakenExternalId(core, textAt(view, 'external_id') ?? '', current.id);
  const record = render(core, current, view, current.inputs);
  core.state.views[record.id] = record;
  core.feed.emit({ type: 'view_updated', view: record });
  return record;
}

export function publishHome(core: Core, user: string, view: Dict, hash?: string): ViewRecord {
  const current = core.state.views[core.state.homes[user] ?? ''];
  if (current && hash !== undefined && hash !== current.hash) throw new Refused('hash_conflict');
  refuseTakenExternalId(core, textAt(view, 'external_id') ?? '', current?.id ?? null);
  // Of the person, not of a count: it outlives a restart of this Slack.
  const id = `V0HOME${user}`;
  const record = render(core, { id, user, rootViewId: id, previousViewId: null }, view, current?.inputs ?? null);
  core.state.views[id] = record;
  core.state.homes[user] = id;
  core.feed.emit({ type: 'home_published', view: record });
  return record;
}

/** By id or external_id, and only while it is open (or published). */
export function findView(core: Core, by: { id?: string | undefined; externalId?: string | undefined }): ViewRecord {
  const found = Object.values(core.state.views).find((view) =>
    by.id ? view.id === by.id : by.externalId !== undefined && view.externalId === by.externalId,
  );
  if (!found) throw new Refused('not_found');
  return found;
}

/** Closes the view at this height of the stack and all above it. */
export function closeFrom(core: Core, user: string, height: number): void {
  const ids = core.state.stacks[user] ?? [];
  core.state.stacks[user] = ids.slice(0, height);
  for (const id of ids.slice(height).reverse()) {
    const view = core.state.views[id];
    delete core.state.views[id];
    if (view) core.feed.emit({ type: 'view_closed', view });
  }
}

export function heightOf(core: Core, view: ViewRecord): number {
  return (core.state.stacks[view.user] ?? []).indexOf(view.id);
}

type Place = Pick<ViewRecord, 'id' | 'user' | 'rootViewId' | 'previousViewId'>;

function render(
  core: Core,
  { id, user, rootViewId, previousViewId }: Place,
  view: Dict,
  before: ViewRecord['inputs'] | null,
) {
  const blocks = withIds(structuredClone(dictsAt(view, 'blocks')), () => core.ids.random(3));
  const record: ViewRecord = {
    id,
    user,
    rootViewId,
    previousViewId,
    type: view['type'] === 'home' ? 'home' : 'modal',
    title: dictAt(view, 'title') ?? null,
    submit: dictAt(view, 'submit') ?? null,
    close: dictAt(view, 'close') ?? null,
    blocks,
    callbackId: textAt(view, 'callback_id') ?? '',
    privateMetadata: textAt(view, 'private_metadata') ?? '',
    externalId: textAt(view, 'external_id') ?? '',
    clearOnClose: view['clear_on_close'] === true,
    notifyOnClose: view['notify_on_close'] === true,
    hash: `${Math.floor(core.now() / 1000)}.${core.ids.random(4)}`,
    inputs: inputsOf(blocks, before),
    errors: {},
    trouble: null,
  };
  return record;
}

function refuseTakenExternalId(core: Core, externalId: string, own: string | null): void {
  const taken = Object.values(core.state.views).some((view) => view.externalId === externalId && view.id !== own);
  if (externalId !== '' && taken) refuse(core, 'duplicate_external_id', externalId);
}

/** What no correct app does, unlike a hash_conflict or not_found, which happen in a race. */
function refuse(core: Core, code: string, payload: unknown): never {
  violate(core, code, 'view', payload);
  throw new Refused(code);
}
