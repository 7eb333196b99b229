const form = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options);

/** `{date_short_pretty} at {time}` in the reader's own zone and language. @param at seconds since 1970 */
export function formatDate(at: number, format: string, fallback: string, now: Date): string {
  const date = new Date(at * 1000);
  if (Number.isNaN(date.getTime())) return fallback;
  const day = (options: Intl.DateTimeFormatOptions, pretty: boolean) =>
    (pretty && relativeDay(date, now)) || form(options).format(date);
  const year = { year: 'numeric' } as const;
  return format.replace(/\{(\w+)\}/g, (all, name: string) => {
    switch (name) {
      case 'date_num':
        return date.toISOString().slice(0, 10);
      case 'date':
      case 'date_pretty':
        return day({ month: 'long', day: 'numeric', ...year }, name === 'date_pretty');
      case 'date_short':
      case 'date_short_pretty':
        return day({ month: 'short', day: 'numeric', ...year }, name === 'date_short_pretty');
      case 'date_long':
      case 'date_long_pretty':
        return day({ weekday: 'long', month: 'long', day: 'numeric', ...year }, name === 'date_long_pretty');
      case 'time':
        return timeOfDay(date);
      case 'time_secs':
        return form({ hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(date);
      default:
        return all;
    }
  });
}

export function timeOfDay(date: Date): string {
  return form({ hour: 'numeric', minute: '2-digit' }).format(date);
}

/** `Sat 28 Nov, 10:12` */
export function dayAndClock(date: Date): string {
  return `${form({ weekday: 'short', day: 'numeric', month: 'short' }).format(date)}, ${timeOfDay(date)}`;
}

/** With seconds, for the inspector. */
export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

export function dayOf(ts: string, now: Date): string {
  const date = new Date(Number(ts) * 1000);
  return relativeDay(date, now) ?? form({ weekday: 'long', month: 'long', day: 'numeric' }).format(date);
}

/** `today at 10:12` */
export function dayAndTime(ts: string, now: Date): string {
  const date = new Date(Number(ts) * 1000);
  const day = relativeDay(date, now)?.toLowerCase() ?? form({ month: 'short', day: 'numeric' }).format(date);
  return `${day} at ${timeOfDay(date)}`;
}

function relativeDay(date: Date, now: Date): string | undefined {
  const midnight = (when: Date) => new Date(when.getFullYear(), when.getMonth(), when.getDate()).getTime();
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  return days === 0 ? 'Today' : days === -1 ? 'Yesterday' : days === 1 ? 'Tomorrow' : undefined;
}
