import type { SlackOptions } from '../../sandbox/slack/index.ts';

/** For Slack's triggers: they never run out. */
export function unhurriedTime(): () => number {
  let at = Date.now();
  return () => {
    at += 1;
    return at;
  };
}

/**
 * For a bot in a process of its own, which works beside others on this machine and by the machine's clock: what is late then is not
 * for its tests to say.
 */
export function unhurriedSlack({ settings, ...options }: Pick<SlackOptions, 'settings' | 'tokens' | 'port'> = {}) {
  return { now: unhurriedTime(), ...options, settings: { ackLimitMs: 30_000, ...settings } };
}
