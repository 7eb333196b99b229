import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run demo [-- options]

  The whole product in a browser, with a local Slack and a local vendor: no account, nothing leaves this machine.

  --port <n>     the page's port (4600; the next free one if it is taken)
  --data <dir>   where the ledger, the tokens and what was said are kept (.demo)
  --fresh        begin anew
  --empty        without the small past that a new beginning has
  --walk         a guided walk in the terminal, without the page
`;

const options = readOptions();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(HELP);
else if (options.walk) {
  // Each is loaded only when asked for: the walk needs no bundler.
  const { walk } = await import('./walk.ts');
  await walk();
} else {
  const { runDemo } = await import('./demo/run.ts');
  await runDemo({
    port: Number(options.port),
    dataDir: resolve(options.data),
    fresh: options.fresh,
    empty: options.empty,
  });
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '4600' },
        data: { type: 'string', default: '.demo' },
        empty: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        walk: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
      throw new Error(`--port ${values.port} is no port`);
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return undefined;
  }
}
