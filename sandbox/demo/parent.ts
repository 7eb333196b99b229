const LOOK_EVERY_MS = 300;

/**
 * npm starts a script through a shell, and a shell that is ended by a signal does not pass it on: `kill` on npm would leave us
 * behind. So when it was npm, and what started us is gone, we end too.
 */
export function whenNpmIsGone(gone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] !== 'demo') return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
