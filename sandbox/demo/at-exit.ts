const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Of this process, as its exit is. */
const works = new Set<() => void>();

/**
 * Does this last work, the newest first, when the process exits, or is ended by a signal that nobody else listens for: such a
 * signal ends a process with no exit. SIGKILL leaves no time. Returns what forgets it.
 */
export function atExit(work: () => void): () => void {
  if (works.size === 0) {
    process.on('exit', doAll);
    for (const signal of SIGNALS) process.on(signal, endBy);
  }
  works.add(work);
  return () => forget(work);
}

function forget(work: () => void): void {
  if (!works.delete(work) || works.size > 0) return;
  process.off('exit', doAll);
  for (const signal of SIGNALS) process.off(signal, endBy);
}

function doAll(): void {
  for (const work of [...works].reverse()) {
    forget(work);
    work();
  }
}

function endBy(signal: NodeJS.Signals): void {
  // Whoever else listens decides how to end.
  if (process.listenerCount(signal) > 1) return;
  doAll();
  process.kill(process.pid, signal);
}
