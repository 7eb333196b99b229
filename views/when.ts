/**
 * A time in the reader's own zone, for mrkdwn. Plain text has no such thing: see `whenPlain`.
 * @param at milliseconds since 1970.
 */
export function when(at: number): string {
  return dateToken(at, '{date_short_pretty} at {time}', whenPlain(at));
}

/** The time of day alone, for what is only minutes old. */
export function timeOfDay(at: number): string {
  return dateToken(at, '{time}', `${whenPlain(at).slice(-9)}`);
}

/** `2026-01-31 14:03 UTC` */
export function whenPlain(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A day, for computed dates: the hour of an estimate says nothing. */
export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** How long ago, where the sentence is read at once. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

export function seconds(count: number): string {
  const whole = Math.max(1, Math.ceil(count));
  return whole === 1 ? '1 second' : `${whole} seconds`;
}

function dateToken(at: number, format: string, fallback: string): string {
  return `<!date^${Math.floor(at / 1000)}^${format}|${fallback}>`;
}
