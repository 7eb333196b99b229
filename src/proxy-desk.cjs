// The program's first file: what was built runs, or else the sources. What Node has once compiled it reads, from here on, from a folder
// that belongs to the program alone: of the sources that is most of a start.
const { lstatSync, mkdirSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { builtMain } = require('./built.cjs');

const FOLDER = path.join(__dirname, '../.cache');
const FOR_ITS_OWNER_ALONE = 0o700;

const cache = isOurs(FOLDER) ? FOLDER : undefined;
if (cache) enableCompileCache(cache);
const built = builtMain(cache);
if (built) require(built);
else void import('./main.ts');

/**
 * Whoever can write there runs code as this user. Where it cannot be made, as on a file system that is read only, or is anybody else's, a
 * start takes longer and is the same.
 */
function isOurs(folder) {
  try {
    mkdirSync(folder, { mode: FOR_ITS_OWNER_ALONE });
  } catch (error) {
    if (error.code !== 'EEXIST') return false;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}
