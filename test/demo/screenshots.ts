import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));

/** Only when asked for (`SCREENSHOTS=1`), so that a run of the tests changes no file. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  // Neither a caret nor the pointer's hover belongs into a picture.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${FOLDER}${name}.png`, caret: 'hide', animations: 'disabled' });
}
