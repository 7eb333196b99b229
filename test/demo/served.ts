import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePage } from '../../sandbox/demo/bundle.ts';
import { servePage } from '../../sandbox/demo/page-server.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/demo/start-sandbox.ts';

export interface Served extends Pick<Sandbox, 'slack' | 'vendor'> {
  readonly sandbox: Sandbox;
  readonly url: string;
  close(): Promise<void>;
}

/** The sandbox and its page on a folder that goes away with them. */
export async function serve(options: Partial<SandboxOptions> = {}): Promise<Served> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proxy-desk-demo-'));
  const bundle = bundlePage();
  const sandbox = await startSandbox({ dataDir, ...options });
  const page = await servePage(sandbox, bundle, { port: 0 });
  return {
    sandbox,
    slack: sandbox.slack,
    vendor: sandbox.vendor,
    url: page.url,
    async close() {
      await page.close();
      await sandbox.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
