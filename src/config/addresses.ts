import { z } from 'zod';
import { isLoopback } from '../loopback.ts';
import { type DatabaseConfig, parseDatabase, USUAL_DATABASE } from './database.ts';
import { fault, wrong } from './problem.ts';

const VENDOR_REMEDY = "set the vendor's address, https://…";

/** The vendor's address, without a slash at the end, so that `/v2/…` can follow. */
export const vendorUrl = () =>
  z
    .string(fault('is not set', VENDOR_REMEDY))
    .refine(isWebAddress, { abort: true, ...wrong('not a web address', VENDOR_REMEDY) })
    .refine(
      (text) => text.startsWith('https:') || isLoopbackHttp(text),
      wrong(
        'neither https nor http on this machine (the token would travel in clear)',
        'use https://… (http only for 127.0.0.1, localhost or [::1])',
      ),
    )
    .refine(
      (text) => !/[?#@]/.test(text),
      fault('holds a user, password, query or fragment', 'leave only scheme, host, port and path'),
    )
    .refine(
      (text) => !/\/v2(?:\/balance|\/orders(?:\/.*)?)?\/*$/.test(text),
      wrong('the address of a call, not of the vendor (/v2/… is added to it)', 'leave /v2 and what follows out'),
    )
    .transform((text) => {
      const { origin, pathname } = new URL(text);
      return `${origin}${pathname.replace(/\/+$/, '')}`;
    });

/** Slack's own; anything else is a stand-in on this machine. */
const SLACK_API_URL = 'https://slack.com/api/';

/** Slack's tokens go to this address, so that only Slack or this machine may be named. */
export const slackApiUrl = () =>
  z
    .string()
    .transform((text) => text.replace(/\/*$/, '/'))
    .refine(
      (text) => text === SLACK_API_URL || (isWebAddress(text) && isLoopbackHttp(text) && !/[?#@]/.test(text)),
      wrong('not http on this machine', 'leave it out, except in tests: http://127.0.0.1:PORT/api/'),
    )
    .prefault(SLACK_API_URL);

export const database = () =>
  z
    .string()
    .transform((text, ctx): DatabaseConfig => {
      const parsed = parseDatabase(text);
      if (!('fault' in parsed)) return parsed;
      ctx.addIssue(parsed.fault);
      return z.NEVER;
    })
    .prefault(USUAL_DATABASE);

/** URL forgives blanks and control characters around and inside an address; people should not have to. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

function isLoopbackHttp(text: string): boolean {
  const url = new URL(text);
  return url.protocol === 'http:' && isLoopback(url.hostname);
}
