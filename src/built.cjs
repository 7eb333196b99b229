// `npm run build` (deploy/build.ts) puts all that a start reads, libraries too, into few files in dist/: finding and reading hundreds is
// most of a start. Beside them stands a copy of what they were made of, and they run only where not a byte of that has changed; else, and
// where nothing was built, the sources run. Bytes are compared, not digests: node:crypto alone would take longer to load.
const { closeSync, openSync, readFileSync, readSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..');
const DIST = path.join(ROOT, 'dist');
const MAIN = 'main.cjs';
/** Each file that it was made of with its size in bytes; and their bytes, one after the other. */
const [LIST, BYTES] = ['made-of.json', 'made-of.bytes'];
/** A file that is larger would count as changed. */
const LARGEST_SOURCE = 1 << 20;

/** @returns {string | undefined} the first file of what was built, where that is true to the sources. */
function builtMain() {
  try {
    const bytes = readFileSync(path.join(DIST, BYTES));
    const room = Buffer.allocUnsafe(LARGEST_SOURCE);
    let at = 0;
    for (const [file, size] of JSON.parse(readFileSync(path.join(DIST, LIST), 'utf8'))) {
      if (!holds(`${ROOT}/${file}`, bytes.subarray(at, at + size), room)) return undefined;
      at += size;
    }
    return at === bytes.length && at > 0 ? path.join(DIST, MAIN) : undefined;
  } catch {
    return undefined;
  }
}

function holds(file, wanted, room) {
  const handle = openSync(file, 'r');
  try {
    return room.subarray(0, readSync(handle, room)).equals(wanted);
  } finally {
    closeSync(handle);
  }
}

module.exports = { builtMain, ROOT, DIST, MAIN, LIST, BYTES };
