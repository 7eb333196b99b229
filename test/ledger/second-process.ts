import { openLedger } from '../../src/ledger/open.ts';
import { countingVendor, laneOn } from './lanes.ts';

// A process that opens the ledger at its argument, sends what waits there, and says how much that was or why it could not.

const [path = ''] = process.argv.slice(2);
try {
  const opened = await openLedger({ kind: 'sqlite', path });
  const { seen, vendor } = countingVendor();
  await laneOn(opened, vendor).send();
  await opened.close();
  process.send?.({ sent: seen.sent.length });
} catch (error) {
  process.send?.({ refused: error instanceof Error ? error.message : String(error) });
}
process.disconnect?.();
