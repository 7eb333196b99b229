import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

// For `node --import`: writes the address of every module that the process has loaded into the file that LOADED names.

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LOADED'] ?? '', loaded.join('\n')));
