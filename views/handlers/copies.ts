import type { HandlerContext } from '../../src/slack/handler-context.ts';
import type { ActionArgs } from '../../src/slack/listeners.ts';
import { foreign } from '../blocks.ts';
import { plain } from '../text.ts';
import { clickedMessage } from './reply.ts';

/**
 * A card that Slack took although its answer was lost is posted again, and then stands twice. Both lead to the one purchase; the
 * copy that the ledger does not know loses its buttons when it is clicked, since nothing keeps it up to date.
 */
export async function closeCopy(context: HandlerContext, args: ActionArgs, purchase: string): Promise<void> {
  const message = clickedMessage(args);
  if (!(await context.purchasing.isCopy(purchase, message))) return;
  const text = `This is a second copy of the card for ${purchase}. The other one is kept up to date.`;
  const closed = await context.messenger.edit(message, { text, blocks: [foreign(plain(text, 200))] });
  if (!('place' in closed)) context.log.warn({ purchase, ...closed }, 'a copied card could not be closed');
}
