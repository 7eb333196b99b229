import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, VERBS } from '../commands/parse.ts';
import { TRACES_VARIABLES } from '../src/config/traces.ts';
import { parseCommand as parseLedgerCommand } from '../src/ledger/cli/arguments.ts';
import { USAGE } from '../src/ledger/cli/usage.ts';
import { composeFile, ROOT, SETTINGS } from './deploy/files.ts';

/** A page that is longer is two. */
const LINES_AT_MOST = 250;

const pages = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8');
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

/** What stands in code, in a line or in a block: all that somebody may copy. */
function codeIn(page: string): readonly string[] {
  const text = textOf(page);
  const blocks = Array.from(text.matchAll(/^```\w*\n(.*?)^```/gms), ([, block = '']) => block.split('\n')).flat();
  const inline = Array.from(text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
  return [...blocks, ...inline].map((code) => code.replace(/\s+#.*$/, '').trim()).filter((code) => code !== '');
}

/** Commands on one line, one after the other. */
const commandsIn = (page: string) => codeIn(page).flatMap((code) => code.split(/\s*&&\s*/));

/** Without what is optional; each of several that stand side by side. */
function spelledOut(words: string): readonly string[] {
  return words.replaceAll(/ ?\[[^\]]*\]/g, '').split(' | ');
}

function misunderstanding(words: string): string | undefined {
  const command = parseLedgerCommand(words.split(/\s+/), 0, () => ({ kind: 'sqlite', path: 'x' }));
  return 'problem' in command ? command.problem : undefined;
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  return Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

describe.each(pages)('%s', (page) => {
  it('leads nowhere but to what is there', () => {
    const links = Array.from(textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
      return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('is no longer than somebody reads', () => {
    expect(textOf(page).split('\n').length).toBeLessThanOrEqual(LINES_AT_MOST);
  });

  it('names only scripts that are there', () => {
    const named = commandsIn(page).flatMap((code) =>
      Array.from(code.matchAll(/npm run (?:--\S+ )*([\w-]+)/g), ([, name]) => name),
    );
    expect(named.filter((name) => name !== undefined && !(name in scripts))).toEqual([]);
  });

  it('gives only ledger commands that the command understands', () => {
    const given = commandsIn(page).flatMap((code) => {
      const [, words] = /(?:\bledger --|main\.ts ledger) (.+)$/.exec(code) ?? [];
      return words === undefined || words === 'COMMAND' ? [] : [words];
    });
    // A word alone is the name of a command, not one to be typed as it stands.
    const misunderstood = given.flatMap(spelledOut).filter((words) => {
      const problem = misunderstanding(words);
      return words.includes(' ') ? problem !== undefined : problem?.startsWith('there is no command');
    });
    expect(misunderstood).toEqual([]);
  });

  it('gives only commands of Slack that the bot understands', () => {
    const given = codeIn(page).flatMap((code) => (code.startsWith('/proxy ') ? [code.slice('/proxy '.length)] : []));
    const verbs: readonly string[] = VERBS;
    const unknown = given.filter((text) => {
      const typed = text.replaceAll(/ ?\[.*$/g, '').replaceAll(/<\w+>/g, '7');
      const { verb } = parseCommand(typed);
      return typed.includes(' ') ? verb === 'refused' || verb === 'help' : !verbs.includes(typed);
    });
    expect(unknown).toEqual([]);
  });

  it('names only settings that are read', () => {
    const named = codeIn(page).flatMap((code) =>
      Array.from(code.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?==|$)/g), ([, name = '']) => name),
    );
    const known = [...SETTINGS, ...TRACES_VARIABLES, ...OTHERS, ...settingsOfBench()];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('starts only services that compose.yaml has, by profiles that it has', () => {
    const { services } = composeFile();
    const profiles = Object.values(services).flatMap((service) => service.profiles ?? []);
    for (const code of commandsIn(page).filter((command) => command.startsWith('docker compose '))) {
      for (const [, profile] of code.matchAll(/--profile (\S+)/g)) expect(profiles).toContain(profile);
      const [, service] = / (?:exec|logs -f) (\S+)/.exec(code) ?? [];
      if (service !== undefined) expect(Object.keys(services)).toContain(service);
    }
  });
});

/** Which `npm run bench` reads. */
function settingsOfBench(): readonly string[] {
  return readdirSync(join(ROOT, 'test/bench'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => readFileSync(join(ROOT, 'test/bench', name), 'utf8').match(/\bBENCH_[A-Z_]+/g) ?? []);
}

/** Of Node, PostgreSQL and other programs; a constant of ours. */
const OTHERS = [
  'LISTED_TRANSITIONS',
  'HTTPS_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'POSTGRES_PASSWORD',
  'PUBLIC_HOST',
];

describe('the table of ledger commands', () => {
  it('has each that there is', () => {
    const names = Array.from(USAGE.matchAll(/^ {2}([a-z]+) /gm), ([, name]) => name);
    expect(names).toContain('check');
    const rows = textOf('docs/operations.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      Array.from((row.split(' | ')[0] ?? '').matchAll(/`([a-z]+)/g), ([, name]) => name),
    );
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('policy.example.yml', () => {
  it('has each key that a policy may have', () => {
    const example = textOf('policy.example.yml');
    const keys = keysOf(JSON.parse(textOf('docs/policy.schema.json')) as Schema);
    expect(keys).toContain('two_people_above');
    expect(keys.filter((key) => !new RegExp(`(?:^|[\\s#{])${key}:`, 'm').test(example))).toEqual([]);
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

function keysOf({ properties = {}, items, anyOf = [], oneOf = [] }: Schema): readonly string[] {
  const within = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf];
  return [...Object.keys(properties), ...within.flatMap(keysOf)];
}

describe('what is looked for', () => {
  it('would be found: a command, a setting and an anchor that are not there', () => {
    expect(misunderstanding('lost')).toContain('there is no command');
    expect(misunderstanding('list --jsno')).toBeDefined();
    expect(parseCommand('buyy US 10').verb).toBe('help');
    expect(SETTINGS).not.toContain('DATABSE_URL');
    expect(anchorsOf('docs/deploy.md')).toContain('http-mode-behind-a-proxy');
  });
});
