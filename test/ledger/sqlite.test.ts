import { openLedger } from '../../src/ledger/open.ts';
import { describeLedger } from './conformance.ts';
import { scratchFile } from './scratch.ts';

describeLedger(async (clock) => {
  const path = scratchFile();
  return { open: () => openLedger({ kind: 'sqlite', path }, () => clock.now) };
});
