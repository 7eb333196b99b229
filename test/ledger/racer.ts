import { on } from 'node:events';
import { openLedger } from '../../src/ledger/open.ts';

// A process that opens the ledger at its first argument, and then tries to approve the purchases that follow, one step for each
// message, which it answers: so another process can take the same step at the same moment.

const SEND_BY = Date.UTC(2100, 0, 1);
const [path = '', ...ids] = process.argv.slice(2);
const me = `U${process.pid}`;

const steps = on(process, 'message');
const step = async (answer: string | boolean) => {
  process.send?.(answer);
  await steps.next();
};

await step('ready');
const { ledger, close } = await openLedger({ kind: 'sqlite', path });
let won: string | boolean = 'open';
for (const id of ids) {
  await step(won);
  won =
    (await ledger.change(id, ({ state }) =>
      state === 'requested'
        ? { result: true, by: me, to: 'approved', set: { approver: me, sendBy: SEND_BY } }
        : { result: false, by: me },
    )) ?? 'no such purchase';
}
await close();
process.send?.(won);
process.disconnect?.();
