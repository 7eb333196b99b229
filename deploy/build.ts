import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';

// `npm run build`: all that a start reads, in few files. src/built.cjs says why, and when they run.

const { ROOT, DIST, MAIN, LIST, BYTES } = createRequire(import.meta.url)('../src/built.cjs') as {
  readonly [name in 'ROOT' | 'DIST' | 'MAIN' | 'LIST' | 'BYTES']: string;
};

/** Loaded from where they stand: what a library asks for and does without. */
const LEFT_OUT = ['pg-native', 'bufferutil', 'utf-8-validate'];

/** What Bolt asks for at once and needs only where it is used in other ways: its Express receiver, and bodies that are not UTF-8. */
const NEVER_USED = ['express', 'iconv-lite'];

// npm leaves it out without a word where it is not made for a system, or where whoever installs wants nothing optional.
const { rolldown } = await import('rolldown').catch((error: unknown) => {
  const [why] = String(error).split('\n');
  process.stderr.write(
    `Nothing was built: rolldown, which builds, cannot be loaded (${why}). ` +
      'The program runs all the same, from its sources; to build, install again with what is optional: npm ci --omit=dev --include=optional\n',
  );
  process.exit(1);
});

/** Our own files, as they were read; how it is made; and npm's record of the libraries that it has installed. */
const madeOf = new Map(
  ['deploy/build.ts', 'node_modules/.package-lock.json'].map((file) => [file, readFileSync(join(ROOT, file))]),
);

const plugin: Plugin = {
  name: 'proxy-desk',
  resolveId: (name) => (NEVER_USED.includes(name) ? `never used: ${name}` : undefined),
  load: (id) => (id.startsWith('never used: ') ? 'module.exports = {};' : undefined),
  transform(code, id) {
    if (!isAbsolute(id)) return undefined;
    const file = relative(ROOT, id);
    if (!file.startsWith('node_modules')) madeOf.set(file, Buffer.from(code));
    // The migrations and the thread that draws charts are found from where the file stands that wants them.
    return code.replaceAll('import.meta.url', `new URL('../${file}', import.meta.url).href`);
  },
};

const fresh = `${DIST}.${process.pid}`;
try {
  const bundle = await rolldown({
    input: join(ROOT, 'src/main.ts'),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [plugin],
  });
  await bundle.write({
    dir: fresh,
    // Node loads modules of its own, and many of them, for whoever imports one in the way of ECMAScript.
    format: 'cjs',
    // As modules are, ours among them; of the libraries, too: in one file with the others, their own word for it is not kept.
    strict: true,
    entryFileNames: MAIN,
    chunkFileNames: '[name]-[hash].cjs',
    // All that a look into the ledger needs: to find one file takes longer than to read it.
    codeSplitting: {
      groups: [{ name: 'ledger', test: /src\/(?:ledger\/cli\/index|config\/(?:database|env-file))\.ts$/ }],
    },
    // A single character beyond Latin doubles what the text of a file takes in memory.
    charset: 'ascii',
    comments: false,
  });
  await bundle.close();
  writeFileSync(join(fresh, LIST), JSON.stringify(Array.from(madeOf, ([file, { length }]) => [file, length])));
  writeFileSync(join(fresh, BYTES), Buffer.concat([...madeOf.values()]));
  rmSync(DIST, { recursive: true, force: true });
  renameSync(fresh, DIST);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
