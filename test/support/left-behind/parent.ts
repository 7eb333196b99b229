import { launch } from '../bot.ts';

const { pid } = launch({ env: {}, cwd: '.', command: [process.execPath, '-e', 'setInterval(() => {}, 1_000)'] });
console.log(pid);
