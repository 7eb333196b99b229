import { isRefusal } from '../src/purchasing/model/refusals.ts';
import type { HandlerContext } from '../src/slack/handler-context.ts';
import type { CommandArgs } from '../src/slack/listeners.ts';
import { clickOf, refusalFor, tell } from '../views/handlers/reply.ts';
import { freezeText, unfreezeText } from '../views/reports/freeze.ts';

export async function freeze(context: HandlerContext, args: CommandArgs, reason: string): Promise<void> {
  const frozen = await context.purchasing.freeze(clickOf(args), reason);
  await tell(args, isRefusal(frozen) ? refusalFor(context, args, frozen) : freezeText(frozen));
}

export async function unfreeze(context: HandlerContext, args: CommandArgs): Promise<void> {
  const was = await context.purchasing.unfreeze(clickOf(args));
  await tell(args, isRefusal(was) ? refusalFor(context, args, was) : unfreezeText(was));
}
