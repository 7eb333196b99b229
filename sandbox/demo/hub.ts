import type { Message } from '../slack/types.ts';
import type { LocalVendorView } from '../vendor-api/index.ts';
import { readAppListing } from './app-listing.ts';
import { watchBot } from './bot-status.ts';
import { recordMentions } from './mentions.ts';
import type { Sandbox } from './start-sandbox.ts';
import { recordTraces } from './traces.ts';
import type { Push, ShownMessage, Snapshot } from './wire.ts';
import { PEOPLE } from './world.ts';

/** The newest requests to the vendor: the whole list is pushed at every change. */
const REQUESTS_SHOWN = 100;

export interface Hub {
  snapshot(): Snapshot;
  on(listener: (push: Push) => void): () => void;
  close(): void;
}

/** Turns everything that happens in the sandbox into pushes for pages, and gives a new page the whole of it. */
export function createHub(sandbox: Sandbox): Hub {
  const { slack, vendor } = sandbox;
  const app = readAppListing();
  const listeners = new Set<(push: Push) => void>();
  const push = (message: Push) => {
    for (const listener of listeners) listener(message);
  };
  const mentions = recordMentions(slack);
  const shown = (message: Message): ShownMessage => ({ ...message, mentions: mentions.of(message) });
  const traces = recordTraces(slack, (trace) => push({ type: 'trace', trace }));
  const watch = watchBot(sandbox, {
    status: (status) => push({ type: 'bot', status }),
    line: (line) => push({ type: 'log', line }),
  });
  const vendorView = (): LocalVendorView => {
    const view = vendor.view();
    return { ...view, requests: view.requests.slice(-REQUESTS_SHOWN) };
  };
  const stackOf = (user: string) => (slack.state.stacks[user] ?? []).flatMap((id) => slack.state.views[id] ?? []);
  const homeOf = (user: string) => [slack.state.views[slack.state.homes[user] ?? '']].flatMap((view) => view ?? []);
  const stops = [
    sandbox.onPutForward((aheadMs) => push({ type: 'clock', aheadMs })),
    slack.on((event) => {
      switch (event.type) {
        case 'message_posted':
        case 'message_edited':
        case 'message_deleted':
          return push({ type: 'message', message: shown(event.message) });
        case 'home_published':
          return push({ type: 'home', view: event.view });
        case 'view_opened':
        case 'view_updated':
        case 'view_touched':
        case 'view_closed': {
          const { user, type } = event.view;
          if (type === 'home') return push({ type, view: event.view });
          return push({ type: 'views', user, stack: stackOf(user) });
        }
        case 'world_changed': {
          const { people, groups, channels, directs } = slack.state;
          return push({ type: 'world', world: { people, groups, channels, directs } });
        }
        case 'violation':
          return push({ type: 'violation', violation: event.violation });
      }
    }),
    vendor.on(() => push({ type: 'vendor', vendor: vendorView() })),
  ];
  return {
    snapshot() {
      const { team, bot, people, groups, channels, directs, messages } = slack.state;
      return {
        team,
        bot,
        app,
        shortcuts: slack.settings.shortcuts,
        hasHomeTab: slack.settings.homeTabEnabled,
        roles: Object.fromEntries(PEOPLE.map(({ id, role }) => [id, role])),
        people,
        groups,
        channels,
        directs,
        messages: messages.map(shown),
        stacks: Object.fromEntries(Object.keys(people).map((user) => [user, stackOf(user)])),
        homes: Object.fromEntries(Object.keys(people).flatMap((user) => homeOf(user).map((view) => [user, view]))),
        aheadMs: sandbox.clock.aheadMs,
        traces: traces.all,
        violations: slack.violations,
        vendor: vendorView(),
        botStatus: watch.now,
        ledgerCommand: sandbox.ledgerCommand,
        log: sandbox.bot.output,
      };
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const stop of stops) stop();
      mentions.close();
      traces.close();
      watch.close();
      listeners.clear();
    },
  };
}
