// The first file that runs: an older Node can read neither the others nor the flags that they are started with, so this one is in
// words that every Node knows.
const { engines } = require('../package.json');

/** EX_CONFIG, as in main.ts: to try it again is of no use. */
const EXIT_CONFIG = 78;

const numbers = (text) => text.match(/\d+/g).map(Number);
const [major, minor] = numbers(process.versions.node);
const [wantedMajor, wantedMinor] = numbers(engines.node);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  process.stderr.write(
    `Node ${process.versions.node} (${process.execPath}) is too old: Proxy Desk needs Node ${wantedMajor}.${wantedMinor} or later. ` +
      'Install it, or put it first in PATH.\n',
  );
  process.exit(EXIT_CONFIG);
}
