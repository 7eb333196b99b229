import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { runDemo } from './demo/run.ts';

const HELP = `npm run demo [-- options]

  The whole product in a browser, with a local Slack and a local vendor: no account, nothing leaves this machine.

  --port <n>     the page's port (4600; the next free one if it is taken)
  --data <dir>   where the ledger, the tokens and what was said are kept (.demo)
  --fresh        begin with that folder empty
  --walk         a guided walk in the terminal, without the page
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4600' },
    data: { type: 'string', default: '.demo' },
    fresh: { type: 'boolean', default: false },
    walk: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(HELP);
} else if (values.walk) {
  // Written as a variable, since the walk is a part of its own, and the page must run without it.
  const walkFile = './walk.ts';
  const { walk } = (await import(walkFile)) as { walk: () => Promise<void> };
  await walk();
} else {
  await runDemo({ port: Number(values.port), dataDir: resolve(values.data), fresh: values.fresh });
}
