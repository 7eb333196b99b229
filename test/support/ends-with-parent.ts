/** Loaded before the program itself: the process ends when whoever started it is gone, also by SIGKILL, since its pipe closes then. */
process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.resume().unref();
