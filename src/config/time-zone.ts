import { z } from 'zod';
import { nearest } from '../nearest.ts';
import { fault, named, wrong } from './problem.ts';

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return true;
  } catch {
    return false;
  }
}

const HOW = 'write a name of the IANA time zones, like Europe/Berlin, or leave it out for UTC';

const notText = wrong('not the name of a time zone', HOW);

/** An offset as in `+02:00` knows no summer time: it is nobody's. */
export const timeZone = z.string(notText).superRefine((name, ctx) => {
  if (/^[A-Za-z]/.test(name) && isTimeZone(name)) return;
  const meant = nearestZone(name);
  const remedy = meant === null ? HOW : `did you mean ${meant}?`;
  ctx.addIssue({ code: 'custom', input: name, message: fault(named(name, 'no time zone'), remedy) });
});

/** As a whole, or by its city alone: few know that theirs is `America/Argentina/Buenos_Aires`. */
function nearestZone(name: string): string | null {
  const zones = Intl.supportedValuesOf('timeZone');
  const whole = nearest(name, zones);
  if (whole !== null) return whole;
  const city = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1);
  const meant = nearest(city(name), zones.map(city), 1);
  return meant === null ? null : (zones.find((zone) => city(zone) === meant) ?? null);
}
