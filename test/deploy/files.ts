import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { SECRETS } from '../../src/config/given.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Every setting there is; a test of its own holds .env.example to the schema. */
export const SETTINGS: readonly string[] = Object.keys(
  parseEnv(textOf('.env.example').replace(/^# (?=[A-Z_]+=)/gm, '')),
).flatMap((name) => (SECRETS.includes(name) ? [name, `${name}_FILE`] : [name]));

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of the Dockerfile, a list for each stage. */
export function dockerStages(): readonly (readonly Instruction[])[] {
  const lines = textOf('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

/** A list in JSON, as ENTRYPOINT and CMD take it: run without a shell. */
export function execForm(text: string): [string, ...string[]] {
  return JSON.parse(text.slice(text.indexOf('['))) as [string, ...string[]];
}

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

export function composeFile() {
  return parse(textOf('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, null>>;
  };
}

/** The settings of the unit, all values of each name in their order. */
export function unitSettings(): ReadonlyMap<string, readonly string[]> {
  const lines = textOf('deploy/proxy-desk.service')
    .split('\n')
    .filter((line) => /^[A-Z]\w+=/.test(line));
  const pairs = lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return new Map([...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => [name, all.map(([, value]) => value)]));
}
