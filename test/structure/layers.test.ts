import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A file belongs to the first layer whose folder or file it is in. */
const LAYERS = {
  main: ['src/main.ts'],
  wiring: ['src/start.ts', 'src/app.ts', 'src/http.ts', 'src/metrics.ts', 'src/log.ts', 'src/clock.ts'],
  config: ['src/config/'],
  handling: ['src/desk.ts', 'src/listeners.ts'],
  purchasing: ['src/purchasing/'],
  typed: ['src/typed/'],
  csv: ['src/csv.ts'],
  scrub: ['src/scrub.ts'],
  vendor: ['src/vendor/'],
  ledger: ['src/ledger/'],
  slack: ['src/slack/'],
  views: ['views/'],
  commands: ['commands/'],
} as const;
type Layer = keyof typeof LAYERS;

/** Whom each layer may import, beside itself. Nobody imports `main`, the sandbox or a test; no adapter imports another. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  main: ['wiring', 'config', 'ledger'],
  wiring: ['config', 'handling', 'purchasing', 'scrub', 'vendor', 'ledger', 'slack', 'views', 'commands'],
  config: ['purchasing'],
  handling: ['purchasing'],
  purchasing: [],
  typed: ['purchasing'],
  csv: [],
  scrub: [],
  vendor: ['purchasing', 'scrub'],
  ledger: ['purchasing', 'csv'],
  slack: ['purchasing'],
  views: ['handling', 'purchasing', 'typed', 'slack'],
  commands: ['handling', 'purchasing', 'typed', 'views'],
};

/** Packages that touch the outside belong to the adapters. */
const PACKAGES: Record<Layer, RegExp> = {
  main: /^node:(fs|crypto)$/,
  wiring: /^(@slack\/(bolt|logger|web-api)|pino|node:(http|net|crypto|timers\/promises))$/,
  config: /^(yaml|zod|node:util)$/,
  handling: /^@slack\/bolt$/,
  purchasing: /^(big\.js|date-fns(\/add)?|@date-fns\/utc|i18n-iso-countries(\/.*)?|node:crypto)$/,
  typed: /^$/,
  csv: /^$/,
  scrub: /^$/,
  vendor: /^(undici|zod|lossless-json|node:(crypto|buffer|timers\/promises))$/,
  ledger: /^(node:(sqlite|fs|fs\/promises|path|crypto|url|util|timers\/promises|os)|date-fns|pg|zod)$/,
  slack: /^@slack\/(bolt|logger|web-api)$/,
  views: /^@slack\/(bolt|types)$/,
  commands: /^$/,
};

const files = ['src', 'views', 'commands'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

function layerOf(file: string): Layer {
  const found = (Object.keys(LAYERS) as Layer[]).find((layer) =>
    LAYERS[layer].some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place)),
  );
  if (!found) throw new Error(`${file} belongs to no layer`);
  return found;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const imports = /^(?:import|export)\b[^;']*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
  return Array.from(text.matchAll(imports), ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

describe('layers import only downwards', () => {
  it.each(files)('%s', (file) => {
    const layer = layerOf(file);
    const wrong = importsOf(file).filter((specifier) => {
      if (!specifier.startsWith('.')) return !PACKAGES[layer].test(specifier);
      const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
      if (!/^(src|views|commands)\//.test(target)) return true;
      const other = layerOf(target);
      return other !== layer && !MAY_IMPORT[layer].includes(other);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the environment and the end of the process', () => {
  it.each(files.filter((file) => file !== 'src/main.ts'))('are left to main by %s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text).not.toMatch(/process\.(env|exit|exitCode)\b/);
  });
});
