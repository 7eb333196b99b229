import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser, openTab, type Tab } from './browser.ts';
import { Seat } from './seat.ts';
import { type Served, serve } from './served.ts';

/** The first start unpacks the browser. */
const START_MS = 180_000;
/** Only how soon a test gives up: a loaded machine can stand still for seconds. */
export const TEST_MS = 180_000;
/** Short: the bot gives a silent vendor up after it. */
const VENDOR_TIMEOUT_MS = 1_500;

export interface Stage {
  readonly served: Served;
  /** As the bot, past it: for what it does not say by itself. Rejects with Slack's error. */
  post(message: {
    channel: string;
    text: string;
    blocks?: unknown[];
    thread_ts?: string;
    reply_broadcast?: boolean;
  }): Promise<Posted>;
  call(method: string, args: object): Promise<Record<string, unknown>>;
  /** Opens this view for somebody; the answer is its id. */
  open(user: string, view: object): Promise<string>;
  edit(message: Posted & { text: string }): void;
  /** A tab of its own, in #general, as the first person. */
  sit(options?: BrowserContextOptions): Promise<Seat>;
}

export interface Posted {
  readonly channel: string;
  readonly ts: string;
}

/** One browser and one sandbox for all tests of a file; each test must leave neither a complaint nor a violation. */
export function setStage(): Stage {
  let browser: Browser;
  let served: Served;
  let tabs: Tab[] = [];
  beforeAll(async () => {
    // Each is known as soon as it is there, so that it is closed though the other one fails.
    await Promise.all([
      serve({ vendorTimeoutMs: VENDOR_TIMEOUT_MS }).then((it) => {
        served = it;
      }),
      launchBrowser().then((it) => {
        browser = it;
      }),
    ]);
  }, START_MS);
  afterAll(async () => {
    await Promise.all([browser?.close(), served?.close()]);
  }, START_MS);
  afterEach(async () => {
    const complaints = tabs.flatMap((tab) => tab.complaints);
    await Promise.all(tabs.map(({ page }) => page.context().close()));
    tabs = [];
    served.vendor.behave();
    expect(complaints).toEqual([]);
    expect(served.slack.takeViolations()).toEqual([]);
  });
  const call = async (method: string, args: object) => {
    const { apiUrl, tokens } = served.slack;
    const response = await fetch(`${apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.bot}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (answer['ok'] !== true) throw new Error(String(answer['error']));
    return answer;
  };
  return {
    get served() {
      return served;
    },
    async post(message) {
      const { channel, ts } = await call('chat.postMessage', message);
      return { channel: String(channel), ts: String(ts) };
    },
    call,
    async open(user, view) {
      // A trigger that the bot does not use.
      const delivery = await served.slack.as(user).command('/proxy', 'help');
      const opened = await call('views.open', { trigger_id: delivery?.body['trigger_id'], view });
      return (opened['view'] as { id: string }).id;
    },
    edit: ({ channel, ts, text }) => served.slack.world.editMessage({ channel, ts }, { text }),
    async sit(options) {
      const tab = await openTab(browser, served.url, options);
      tabs.push(tab);
      await tab.page.getByRole('textbox', { name: 'Message #general' }).waitFor();
      return new Seat(tab.page);
    },
  };
}
