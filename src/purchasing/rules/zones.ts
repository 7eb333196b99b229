const DAY_MS = 86_400_000;

/** A calendar day that belongs to no zone, counted from 1970-01-01. */
export type Day = number;

/** What clocks on the wall show somewhere. */
export interface Zone {
  dayOf(at: number): Day;
  /**
   * When clocks there show this time on this day. A time that summer time leaves out is the one that many minutes later; of one that
   * comes twice, the first.
   */
  at(day: Day, minutes: number): number;
}

export const UTC: Zone = zoneOfOffset(() => 0);

/** @param name as Slack tells it, of the IANA's. Null, or one that this machine's tables do not have: UTC. */
export function zoneOf(name: string | null): Zone {
  const clock = name === null ? undefined : wallClock(name);
  return clock ? zoneOfOffset((at) => clock(at) - at) : UTC;
}

function zoneOfOffset(offset: (at: number) => number): Zone {
  return {
    dayOf: (at) => Math.floor((at + offset(at)) / DAY_MS),
    at(day, minutes) {
      const wall = day * DAY_MS + minutes * 60_000;
      // No zone is a day from UTC: the one is in force before, the other after whatever change may lie at that time.
      const [before, after] = [wall - offset(wall - DAY_MS), wall - offset(wall + DAY_MS)];
      const shown = [before, after].filter((at) => at + offset(at) === wall);
      return shown.length === 0 ? before : Math.min(...shown);
    },
  };
}

/** What a clock there shows at a moment, as the moment at which one in UTC shows the same; undefined for an unknown name. */
function wallClock(timeZone: string): ((at: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      const whole = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
      return whole + (((at % 1_000) + 1_000) % 1_000);
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
