import { openLedger } from '../../src/ledger/open.ts';
import { describeLedger } from '../ledger/conformance.ts';
import { freshDatabase } from './databases.ts';

describeLedger(async (clock) => {
  const url = await freshDatabase();
  return { open: () => openLedger({ kind: 'postgres', url }, () => clock.now) };
});
