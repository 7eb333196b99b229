import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../../sandbox/demo/temporary-folder.ts';
import { PATIENCE_MS } from '../../sandbox/slack/index.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PACKAGE = import.meta.resolve('@sparticuz/chromium');
/** The libraries that a bare system lacks; the package brings them along, and unpacks them by itself only where it was made for. */
const LIBRARIES = fileURLToPath(new URL('../bin/al2023.tar.br', PACKAGE));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A real browser out of an npm package: nothing is downloaded besides, and neither libraries nor fonts of the system are needed. */
export async function launchBrowser(): Promise<Browser> {
  const room = await unpackedBrowser();
  const temporary = temporaryFolder('browser');
  const browser = await withTemporary(temporary.path, () =>
    chromium.launch({
      executablePath: join(room, 'chromium'),
      args: FLAGS,
      env: { ...process.env, FONTCONFIG_FILE: join(room, 'fonts.conf'), LD_LIBRARY_PATH: join(room, 'al2023/lib') },
      // The temporary folder hears of these, and takes what the browser leaves; without us the browser ends by itself.
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    }),
  );
  browser.on('disconnected', () => temporary[Symbol.dispose]());
  return browser;
}

/** Neither of the two packages asks for a place; this is where they look for one. */
async function withTemporary<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = path;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** Once for each version, beside what npm has installed: the package would leave it in the system's temporary folder. */
async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', PACKAGE), 'utf8')) as { version: string };
  const room = join(CACHE, `browser-${version}`);
  if (existsSync(room)) return room;
  await mkdir(CACHE, { recursive: true });
  const fresh = await mkdtemp(`${room}-`);
  await withTemporary(fresh, () => Promise.all([packed.executablePath(), inflate(LIBRARIES)]));
  // The package brings Open Sans; whatever else the machine has comes after it.
  const dirs = [join(room, 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('');
  await writeFile(
    join(fresh, 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig>${dirs}<cachedir>${room}/font-cache</cachedir></fontconfig>`,
  );
  // Whole or not at all; whoever comes second finds it there.
  await rename(fresh, room).catch(() => rm(fresh, { recursive: true }));
  return room;
}

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 375, height: 720 };

export interface Tab {
  readonly page: Page;
  /** Everything the browser complained of. */
  readonly complaints: readonly string[];
}

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    timezoneId: 'Europe/Amsterdam',
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    // The pushes end when the tab is closed.
    if (!request.url().endsWith('/events')) complaints.push(`failed: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}
