const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** One set for the whole process, since it exits once. */
const works = new Set<() => void>();

/**
 * Runs this when the process exits, or when a signal ends it that nobody else listens for (Node emits no `exit` then). The newest
 * runs first. Nothing runs at SIGKILL. Returns what forgets it.
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
