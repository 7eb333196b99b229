import { type Message, says } from '../blocks.ts';
import { literal } from '../text.ts';

const USAGE = [
  '`/proxy balance`: the balance, and what waits to be sent',
  '`/proxy buy` or `/proxy buy US 10, DE 5`: buy proxies',
  '`/proxy renew ORDER_ID`: renew an order',
  '`/proxy requests`: what is waiting, being sent or unknown',
  '`/proxy orders`: what was bought',
  '`/proxy freeze REASON`, `/proxy unfreeze`: stop and resume all spending (approvers)',
].join('\n');

/** @param unknownWord the first word, if it is no command: as typed, decoded, not escaped */
export function helpText(unknownWord?: string | null): Message {
  const unknown = unknownWord ? `“${literal(unknownWord, 100)}” is not a command. Nothing was done.\n` : '';
  return says(`${unknown}${USAGE}`);
}
