import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

export interface Bundle {
  readonly js: string;
  readonly css: string;
}

const ROOT = fileURLToPath(new URL('../page/', import.meta.url));

/** The page as two files in memory. Reads nothing but `sandbox/page` and what that imports. */
export async function bundlePage(): Promise<Bundle> {
  const built = await build({
    root: ROOT,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      modulePreload: false,
      minify: false,
      cssCodeSplit: false,
      rolldownOptions: { input: `${ROOT}main.tsx`, output: { codeSplitting: false } },
    },
  });
  const outputs = ([built].flat() as Rolldown.RolldownOutput[]).flatMap(({ output }) => output);
  const js = outputs.find((file) => file.type === 'chunk')?.code;
  const css = outputs.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
  if (js === undefined || css?.type !== 'asset') throw new Error('The page could not be bundled');
  return { js, css: String(css.source) };
}
