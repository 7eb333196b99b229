import { openLedger } from '../../src/ledger/open.ts';
import { scratchFile } from '../support/scratch.ts';
import { describeLedger } from './conformance.ts';

describeLedger(async (clock) => {
  const path = scratchFile();
  return { open: () => openLedger({ kind: 'sqlite', path }, () => clock.now) };
});
