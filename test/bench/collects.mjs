import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded before either side: at SIGUSR2 it says how much of the heap is left after a collection.

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
let nth = 0;
process.on('SIGUSR2', () => {
  collect();
  nth += 1;
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  process.stdout.write(`${JSON.stringify({ level: 'info', msg: `collected ${nth}`, heapMb })}\n`);
});
