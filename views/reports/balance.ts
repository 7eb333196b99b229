import type { BalanceReading } from '../../src/purchasing/model/balance-reading.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import { type Message, paragraph, section } from '../blocks.ts';
import { balanceNow, contentShort, freezeLine, person } from '../format.ts';
import { stateWord } from '../sentences.ts';

const SHOWN = 10;

/** @param waiting whatever is not over: waiting for approval, to be sent, being sent or unknown */
export function balanceText(reading: BalanceReading, waiting: readonly Purchase[], freeze: Freeze | null): Message {
  const balance = `Balance: ${balanceNow(reading)}`;
  const toBeSent = waiting.filter(({ state }) => state === 'approved' || state === 'sending');
  const undecided = waiting.filter(({ state }) => state === 'requested').length;
  const unknown = waiting.filter(({ state }) => state === 'unknown').length;
  const shown = toBeSent.slice(0, SHOWN).map((purchase) => `• ${line(purchase)}`);
  const more = toBeSent.length - shown.length;
  return {
    text: balance,
    blocks: [
      section(`*${balance}*`),
      section(
        [
          toBeSent.length === 0 ? 'Nothing waits to be sent.' : 'Waiting to be sent:',
          ...shown,
          ...(more > 0 ? [`and ${more} more`] : []),
        ].join('\n'),
      ),
      ...paragraph([
        undecided > 0 ? `${undecided} waiting for approval.` : null,
        unknown > 0 ? `${unknown} with an unknown outcome: the money may be gone already.` : null,
        undecided + unknown > 0 ? 'See `/proxy requests`.' : null,
      ]),
      ...paragraph([freezeLine(freeze)]),
    ],
  };
}

function line(purchase: Purchase): string {
  const what = `${purchase.kind === 'buy' ? '' : 'renew '}${contentShort(purchase)}`;
  return `${what} for ${person(purchase.requester)}: ${stateWord(purchase.state)}`;
}
