import { createLog } from '../../src/runtime/log.ts';

/** More than any pipe takes, and more than is kept for one that is slow. */
const LINES = 20_000;

const log = createLog('info', [], {});
for (let line = 0; line < LINES; line += 1) log.info({ text: 'x'.repeat(1_000) }, 'a line');
process.stderr.write('done');
process.exit(0);
