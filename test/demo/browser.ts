import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packed from '@sparticuz/chromium';
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

/** A real browser out of an npm package: nothing is downloaded besides, and no system fonts are needed. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await packed.executablePath();
  // The package brings Open Sans; whatever else the machine has comes after it.
  const fontsFile = join(tmpdir(), `proxy-desk-fonts-${process.pid}.conf`);
  const dirs = [join(tmpdir(), 'fonts'), '/usr/share/fonts'].map((path) => `<dir>${path}</dir>`).join('');
  await writeFile(fontsFile, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: fontsFile } as Record<string, string>,
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
