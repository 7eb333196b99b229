const { readFileSync, renameSync, statfsSync, statSync, writeFileSync } = require('node:fs');

// Whether files are those that were seen, without reading them. Whatever writes to a file, puts another in its place or copies it leaves
// it with another time of change, or as another file; that time cannot be set, as that of the last writing can (cp -a, tar, rsync). Where
// that is not certain nothing is remembered, and the files are read.

/** File systems of this machine's own, by their number: one that others write to may show for a while what it was. */
const OWN = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x2fc12fc1, 'zfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlayfs, of containers'],
]);

/** Some write times down in whole seconds: of what has just changed, a further change might not show. */
const SETTLED_AFTER_NS = 2_000_000_000n;

/** Ends the record: one that is cut off says less than was seen. */
const ALL = 'all';

/** @param root what is remembered is not of the place, so that a copy of everything is another one. */
function lookAt(root, file) {
  const { dev, ino, size, ctimeNs } = statSync(`${root}/${file}`, { bigint: true });
  return { file, dev, ctimeNs, state: `${dev} ${ino} ${size} ${ctimeNs}` };
}

/** @param record a line for each: what it was like, and its path from the root */
function isAsSeen(record, root) {
  try {
    const lines = readFileSync(record, 'utf8').split('\n');
    if (lines.pop() !== ALL) return false;
    return lines.every((line) => {
      const [state, file] = line.split('\t');
      return lookAt(root, file).state === state;
    });
  } catch {
    return false;
  }
}

/**
 * To be called when they were found to be right. Not being able to costs the next start a look at their bytes.
 * @param began milliseconds since 1970, when the first of them was looked at
 */
function remember(record, root, looks, began) {
  const settledBefore = BigInt(began) * 1_000_000n - SETTLED_AFTER_NS;
  if (looks.some(({ ctimeNs }) => ctimeNs > settledBefore)) return;
  const places = new Map(looks.map(({ dev, file }) => [dev, file]));
  try {
    if (![...places.values()].every((file) => OWN.has(statfsSync(`${root}/${file}`).type))) return;
    const fresh = `${record}.${process.pid}`;
    writeFileSync(fresh, [...looks.map(({ state, file }) => `${state}\t${file}`), ALL].join('\n'));
    renameSync(fresh, record);
  } catch {}
}

module.exports = { lookAt, isAsSeen, remember };
