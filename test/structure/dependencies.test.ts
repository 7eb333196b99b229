import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const json = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;
const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== '');
const manifest = json('package.json') as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

const named = { ...manifest.dependencies, ...manifest.optionalDependencies };

/** What a company's lawyers wave through; anything else is looked at by a person first. */
const SHIPPED_LICENCES = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

describe('dependencies', () => {
  it('that are shipped have licences that anybody may use', () => {
    const odd = locked.filter(([, { dev, license }]) => !dev && !SHIPPED_LICENCES.includes(license ?? ''));
    expect(odd.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  it('that are named in the manifest are listed with their licence', () => {
    const listed = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const rows = Object.keys(named).map((name) => `| \`${name}\` | ${packages[`node_modules/${name}`]?.license} |`);
    expect(rows.filter((row) => !listed.includes(row))).toEqual([]);
  });

  it('are each held to the bytes that were reviewed', () => {
    expect(locked.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  it('run nothing when they are installed, but for the one that brings Node', () => {
    expect(manifest.allowScripts).toEqual({ node: true });
    const shipped = locked.filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
    expect(shipped.map(([path]) => path)).toEqual([]);
  });

  it('are held to one major each', () => {
    for (const range of Object.values(named)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
  });

  it('are all imported by what is shipped', () => {
    const sources = ['src', 'views', 'commands'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    );
    // Bolt leaves the socket client's peer to whoever installs it; named here so that its major is chosen on purpose.
    const imported = (name: string) =>
      name === '@slack/socket-mode' ||
      sources.some((source) => source.includes(`from '${name}`) || source.includes(`resolve('${name}/`));
    expect(Object.keys(manifest.dependencies).filter((name) => !imported(name))).toEqual([]);
  });
});
