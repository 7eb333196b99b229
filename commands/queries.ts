import { RIGHTS, type Right } from '../src/purchasing/model/right.ts';
import type { Desk } from '../src/slack/handler-context.ts';
import type { CommandArgs } from '../src/slack/listeners.ts';
import { tell, userOf } from '../views/handlers/reply.ts';
import { balanceText } from '../views/reports/balance.ts';
import { ordersMessage, requestsMessage } from '../views/reports/lists.ts';
import { refusalSentence } from '../views/sentences.ts';

/** More than a message shows, so that it can say that there are more. */
const ORDERS_READ = 200;

export async function balance(desk: Desk, args: CommandArgs): Promise<void> {
  if (await refused(desk, args, ['balance'])) return;
  const { purchasing, ledger } = desk;
  const [reading, open, freeze] = await Promise.all([purchasing.balance(), ledger.open(), ledger.freeze()]);
  await tell(args, balanceText(reading, open, freeze));
}

export async function requests(desk: Desk, args: CommandArgs): Promise<void> {
  if (await refused(desk, args, RIGHTS)) return;
  const [open, freeze] = await Promise.all([desk.ledger.open(), desk.ledger.freeze()]);
  await tell(args, requestsMessage(open, desk.clock.now(), freeze));
}

export async function orders(desk: Desk, args: CommandArgs): Promise<void> {
  if (await refused(desk, args, RIGHTS)) return;
  await tell(args, ordersMessage(await desk.ledger.completed(ORDERS_READ), desk.clock.now()));
}

async function refused(desk: Desk, args: CommandArgs, rights: readonly [Right, ...Right[]]): Promise<boolean> {
  const no = await desk.purchasing.mayOpen(userOf(args), ...rights);
  if (no) await tell(args, refusalSentence(no, desk.clock.now()));
  return no !== undefined;
}
