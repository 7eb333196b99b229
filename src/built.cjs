// `npm run build` (deploy/build.ts) puts all that a start reads, libraries too, into few files in dist/: finding and reading hundreds is
// most of a start. Beside them stands a copy of what they were made of, and they run only where not a byte of that has changed; else, and
// where nothing was built, the sources run. Bytes are compared, not digests: node:crypto alone would take longer to load.
// What was compared and has not been touched since is not read again, which is quicker still: src/seen.cjs.
const { closeSync, openSync, readFileSync, readSync } = require('node:fs');
const path = require('node:path');
const { isAsSeen, lookAt, remember } = require('./seen.cjs');

const ROOT = path.join(__dirname, '..');
const DIST = path.join(ROOT, 'dist');
const MAIN = 'main.cjs';
/** Each file that it was made of with its size in bytes; and their bytes, one after the other. */
const [LIST, BYTES] = ['made-of.json', 'made-of.bytes'];
/** A file that is larger would count as changed. */
const LARGEST_SOURCE = 1 << 20;

/**
 * @param {string | undefined} cache a folder in which only who may change the program can write; without one everything is read each time
 * @returns {string | undefined} the first file of what was built, where that is true to the sources.
 */
function builtMain(cache) {
  const seen = cache && path.join(cache, 'seen');
  try {
    return (seen && isAsSeen(seen, ROOT)) || isTrue(seen) ? path.join(DIST, MAIN) : undefined;
  } catch {
    return undefined;
  }
}

function isTrue(seen) {
  const files = JSON.parse(readFileSync(path.join(DIST, LIST), 'utf8'));
  const began = Date.now();
  // Before they are read: what changes meanwhile is not as it was seen.
  const looks =
    seen && [`dist/${LIST}`, `dist/${BYTES}`, ...files.map(([file]) => file)].map((file) => lookAt(ROOT, file));
  const bytes = readFileSync(path.join(DIST, BYTES));
  const room = Buffer.allocUnsafe(LARGEST_SOURCE);
  let at = 0;
  for (const [file, size] of files) {
    if (!holds(`${ROOT}/${file}`, bytes.subarray(at, at + size), room)) return false;
    at += size;
  }
  if (at !== bytes.length || at === 0) return false;
  if (seen) remember(seen, ROOT, looks, began);
  return true;
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
