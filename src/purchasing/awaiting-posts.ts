import type { Clock } from './ports/clock.ts';
import type { Outbox } from './ports/outbox.ts';

/** What was posted is soon written down; Slack wants its answer, and the person too. */
const WRITTEN_WITHIN_MS = 1_000;
const AGAIN_AFTER_MS = 25;

/**
 * An outbox that knows of what Slack shows already: whoever clicks on a message in the moment in which it comes may be quicker than the
 * ledger, in which it is written down where it stands.
 */
export function awaitingPosts(outbox: Outbox, clock: Clock): Outbox {
  return {
    ...outbox,
    async noticeAt(place) {
      let notice = await outbox.noticeAt(place);
      for (const until = clock.monotonic() + WRITTEN_WITHIN_MS; !notice && clock.monotonic() < until; ) {
        // Asked before: what was written down in between is found.
        const posting = await outbox.isPosting();
        notice = await outbox.noticeAt(place);
        if (notice || !posting) return notice;
        await clock.sleep(AGAIN_AFTER_MS);
      }
      return notice;
    },
  };
}
