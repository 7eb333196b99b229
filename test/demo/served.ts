import { bundlePage } from '../../sandbox/demo/bundle.ts';
import { servePage } from '../../sandbox/demo/page-server.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/demo/start-sandbox.ts';
import { temporaryFolder } from '../../sandbox/demo/temporary-folder.ts';
import { unhurriedSlack } from '../support/unhurried.ts';

export interface Served extends Pick<Sandbox, 'slack' | 'vendor'> {
  readonly sandbox: Sandbox;
  readonly url: string;
  close(): Promise<void>;
}

/** The sandbox and its page on a folder that goes away with them, also when one of them cannot start. */
export async function serve(options: Partial<SandboxOptions> = {}): Promise<Served> {
  await using started = new AsyncDisposableStack();
  const { path: dataDir } = started.use(temporaryFolder('demo'));
  const bundle = bundlePage();
  // By the sandbox's own clock, which people put forward.
  const sandbox = await startSandbox({ dataDir, slack: { settings: unhurriedSlack().settings }, ...options });
  started.defer(sandbox.close);
  const page = await servePage(sandbox, bundle, { port: 0 });
  started.defer(() => page.close());
  const running = started.move();
  return {
    sandbox,
    slack: sandbox.slack,
    vendor: sandbox.vendor,
    url: page.url,
    close: () => running.disposeAsync(),
  };
}
