import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A file belongs to the first layer whose folder or file it is in. */
const LAYERS = {
  main: ['src/main.ts'],
  runtime: ['src/runtime/'],
  doctor: ['src/doctor/'],
  setup: ['src/setup/'],
  config: ['src/config/'],
  model: ['src/purchasing/model/'],
  ports: ['src/purchasing/ports/'],
  rules: ['src/purchasing/rules/'],
  purchasing: ['src/purchasing/'],
  input: ['src/input/'],
  shared: [
    'src/aborted.ts',
    'src/csv.ts',
    'src/late.ts',
    'src/scrub.ts',
    'src/loopback.ts',
    'src/nearest.ts',
    'src/plural.ts',
    'src/turns.ts',
  ],
  vendor: ['src/vendor-api/'],
  ledger: ['src/ledger/'],
  slack: ['src/slack/'],
  charts: ['src/charts/'],
  handlers: ['views/handlers/'],
  views: ['views/'],
  commands: ['commands/'],
} as const;
type Layer = keyof typeof LAYERS;

const DOMAIN = ['model', 'ports', 'rules', 'purchasing'] as const;

/** Whom each layer may import, beside itself. Nobody imports `main`, the sandbox or a test; no adapter imports another. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  main: ['runtime', 'doctor', 'setup', 'config', 'ports', 'ledger', 'shared'],
  runtime: ['config', ...DOMAIN, 'shared', 'vendor', 'ledger', 'slack', 'charts', 'handlers', 'views', 'commands'],
  doctor: ['config', 'model', 'ports', 'shared', 'vendor', 'ledger', 'slack'],
  setup: ['config', 'model', 'ports', 'slack', 'doctor'],
  config: ['model', 'shared'],
  model: [],
  ports: ['model'],
  rules: ['model', 'ports', 'shared'],
  purchasing: ['model', 'ports', 'rules', 'shared'],
  input: ['model', 'shared'],
  shared: [],
  vendor: ['model', 'ports', 'shared'],
  ledger: ['model', 'ports', 'rules', 'input', 'shared'],
  slack: [...DOMAIN, 'shared'],
  charts: ['model', 'ports'],
  views: [...DOMAIN, 'input', 'shared'],
  handlers: [...DOMAIN, 'input', 'slack', 'views'],
  commands: [...DOMAIN, 'input', 'slack', 'views', 'handlers'],
};

/** Packages that touch the outside belong to the adapters. */
const DOMAIN_PACKAGES = /^(big\.js|date-fns(\/add)?|@date-fns\/utc\/date\/mini|i18n-iso-countries(\/.*)?|node:crypto)$/;
const PACKAGES: Record<Layer, RegExp> = {
  main: /^node:(fs|crypto|module)$/,
  runtime:
    /^(@slack\/(bolt|logger|web-api)|@opentelemetry\/(api|exporter-trace-otlp-(http|proto)|resources|sdk-trace)|pino|prom-client|node:(async_hooks|fs|http|net|crypto))$/,
  doctor: /^(@slack\/(bolt|web-api)|node:util)$/,
  setup: /^(@clack\/prompts|@slack\/web-api|yaml|node:(crypto|fs|path|util))$/,
  config: /^(yaml|zod|node:util)$/,
  model: DOMAIN_PACKAGES,
  ports: DOMAIN_PACKAGES,
  rules: DOMAIN_PACKAGES,
  purchasing: DOMAIN_PACKAGES,
  input: /^csv-parse\/sync$/,
  shared: /^node:timers\/promises$/,
  vendor: /^(undici|zod|lossless-json|node:(net|timers\/promises))$/,
  ledger: /^(node:(sqlite|fs|fs\/promises|path|crypto|url|util|timers\/promises|os)|date-fns|pg|zod\/mini)$/,
  charts: /^(@napi-rs\/canvas|chart\.js|node:(url|worker_threads))$/,
  slack: /^(@slack\/(bolt|logger|socket-mode|web-api)|node:https?)$/,
  views: /^@slack\/(bolt|types)$/,
  handlers: /^(@slack\/(bolt|types)|node:crypto)$/,
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

/** The files of ours that a file imports, also for their types alone. */
function filesImportedBy(file: string): string[] {
  return importsOf(file)
    .filter((specifier) => specifier.startsWith('.') && specifier.endsWith('.ts'))
    .map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier)));
}

/** A circle of imports, as its files in order; undefined where there is none. */
function circleIn(imported: (file: string) => readonly string[], from: readonly string[]): string[] | undefined {
  const left = new Set<string>();
  const visit = (file: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (left.has(file)) return undefined;
    for (const next of imported(file)) {
      const circle = visit(next, [...way, file]);
      if (circle) return circle;
    }
    left.add(file);
    return undefined;
  };
  for (const file of from) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
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

describe('a circle of imports', () => {
  it('is nowhere, not even of types', () => {
    expect(circleIn(filesImportedBy, files)?.join(' → ')).toBeUndefined();
  });

  it('would be found', () => {
    const imports: Record<string, string[]> = { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b'] };
    expect(circleIn((file) => imports[file] ?? [], ['a'])).toEqual(['b', 'c', 'd', 'b']);
    expect(circleIn((file) => (file === 'd' ? [] : (imports[file] ?? [])), ['a'])).toBeUndefined();
  });
});

describe('the environment and the end of the process', () => {
  it.each(files.filter((file) => file !== 'src/main.ts'))('are left to main by %s', (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text).not.toMatch(/process\.(env|exit|exitCode)\b/);
  });
});
