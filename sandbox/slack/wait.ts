import type { Feed } from './feed.ts';
import type { Label } from './find.ts';
import type { Screen } from './screen.ts';

/** Looks again after every event; no polling. Rejects with what is on the screen. */
export function waitOnScreen(
  feed: Feed,
  screen: () => Screen,
  what: Label | ((now: Screen) => unknown),
  timeout: number,
): Promise<unknown> {
  const look = (now: Screen): unknown => {
    if (typeof what === 'function') return what(now);
    const text = now.text();
    return (typeof what === 'string' ? text.includes(what) : what.test(text)) ? now : undefined;
  };
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      unlisten();
      forget();
    };
    const fail = (why: string) => {
      stop();
      reject(new Error(`${why} while waiting for ${String(what)}.\n${screen().text()}`));
    };
    const attempt = () => {
      try {
        const found = look(screen());
        if (!found) return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const timer = setTimeout(() => fail(`Nothing came in ${timeout} ms`), timeout);
    const unlisten = feed.on(attempt);
    const forget = feed.onEnd(() => fail('Slack was closed'));
    attempt();
  });
}
