/** Loaded before the program itself: the process ends when whoever started it is gone, also by SIGKILL, since its pipe closes then. */
// The ledger command ends by itself, and may read its standard input.
if (process.argv[2] !== 'ledger') {
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
  process.stdin.resume().unref();
}
