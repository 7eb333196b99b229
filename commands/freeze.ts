import { isRefusal } from '../src/purchasing/model/refusals.ts';
import type { Desk } from '../src/slack/handler-context.ts';
import type { CommandArgs } from '../src/slack/listeners.ts';
import { clickOf, tell } from '../views/handlers/reply.ts';
import { freezeText, unfreezeText } from '../views/reports/freeze.ts';
import { refusalSentence } from '../views/sentences.ts';

export async function freeze(desk: Desk, args: CommandArgs, reason: string): Promise<void> {
  const frozen = await desk.purchasing.freeze(clickOf(args), reason);
  await tell(args, isRefusal(frozen) ? refusalSentence(frozen, desk.clock.now()) : freezeText(frozen));
}

export async function unfreeze(desk: Desk, args: CommandArgs): Promise<void> {
  const was = await desk.purchasing.unfreeze(clickOf(args));
  await tell(args, isRefusal(was) ? refusalSentence(was, desk.clock.now()) : unfreezeText(was));
}
