import type { types } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { HomePublisher } from '../purchasing/ports/homes.ts';
import { troubleOf } from './errors.ts';
import { undelivered } from './messenger.ts';

/** `views.publish`, with one call that is never repeated. @param client without retries of its own */
export function homePublisher(client: WebClient): HomePublisher {
  return {
    async publish(user, { blocks }, hash) {
      // The views draw nothing but Slack's own blocks.
      const view = { type: 'home' as const, blocks: [...(blocks as readonly types.KnownBlock[])] };
      try {
        const published = await client.views.publish({ user_id: user, view, ...(hash === null ? {} : { hash }) });
        return { hash: published.view?.hash ?? '' };
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.kind === 'refused' && trouble.code === 'hash_conflict') return { kind: 'overtaken' };
        return undelivered(error);
      }
    },
  };
}
