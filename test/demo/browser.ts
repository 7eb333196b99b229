import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The libraries that a bare system lacks; the package brings them along, and unpacks them by itself only where it was made for. */
const LIBRARIES = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'));

/** A real browser out of an npm package: nothing is downloaded besides, and neither libraries nor fonts of the system are needed. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await packed.executablePath();
  const libraries = join(await inflate(fileURLToPath(LIBRARIES)), 'lib');
  // The package brings Open Sans; whatever else the machine has comes after it.
  const fontsFile = join(tmpdir(), `proxy-desk-fonts-${process.pid}.conf`);
  const dirs = [join(tmpdir(), 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('');
  await writeFile(fontsFile, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: fontsFile, LD_LIBRARY_PATH: libraries } as Record<string, string>,
  });
}

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 375, height: 720 };

/** Waiting for what is visible; a loaded machine takes its time. */
const PATIENCE_MS = 10_000;

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
