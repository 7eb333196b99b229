import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const CHECK = join(ROOT, 'src/node-version.cjs');
const { scripts, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

/** The check, by a Node that takes itself for another version. */
function asNode(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const script = `${pretend}; require(${JSON.stringify(CHECK)})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('a Node that is too old', () => {
  it.each(['12.22.12', '18.20.8', '20.20.2', '23.11.1', '24.14.1'])(
    '%s ends with the version that is needed',
    (version) => {
      const { status, stdout, stderr } = asNode(version);
      expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
      expect(stderr).toBe(
        `Node ${version} (${process.execPath}) is too old: Proxy Desk needs Node 24.15 or later. Install it, or put it first in PATH.\n`,
      );
    },
  );

  it.each(['24.15.0', '24.21.0', '25.0.0', '30.1.0'])('%s is not', (version) => {
    expect(asNode(version)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('is found out before anything that it cannot read: a flag, a file of TypeScript', () => {
    expect(scripts['start']).toBe('node src/node-version.cjs && exec node --disable-sigusr1 src/proxy-desk.cjs');
    expect(scripts['ledger']).toBe('node --require ./src/node-version.cjs src/proxy-desk.cjs ledger');
    expect(engines.node).toBe('>=24.15');
  });

  it('reads the check itself, which is in the words of Node 6', () => {
    const text = readFileSync(CHECK, 'utf8');
    expect(text).not.toMatch(/\?\.|\?\?|\.\.\.|\b(?:import|export|async|await|class|static)\b|catch \{|#\w|\d_\d/);
  });
});
