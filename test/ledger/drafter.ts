import { openLedger } from '../../src/ledger/open.ts';

// A process that opens the ledger at its argument, keeps what somebody has put together, says under which id, and ends only when it is killed.

const [path = ''] = process.argv.slice(2);
const { drafts } = await openLedger({ kind: 'sqlite', path });
const { id } = await drafts.create('U0ANN', { rows: ['DE 1'] });
await drafts.update(id, 'U0ANN', () => ({ rows: ['DE 1', 'US 2'] }));
process.send?.(id);
