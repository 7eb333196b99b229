import { z } from 'zod';
import type { Reports } from '../purchasing/model/policy.ts';
import { wrong } from './problem.ts';
import { section } from './schema.ts';
import { timeZone } from './time-zone.ts';

export const reports = section({
  monthly: z
    .boolean(wrong('neither true nor false', 'write true or false, without quotes'))
    .default(false)
    .describe('Those who approve are told on the first of each month, at 09:00, where the money of the last one went.'),
  time_zone: timeZone
    .default('UTC')
    .describe('An IANA name, like Europe/Berlin: whose months are meant, in reports, in /proxy spend and in limits.'),
})
  .prefault({})
  .transform(({ monthly, time_zone }): Reports => ({ monthly, timeZone: time_zone }));
