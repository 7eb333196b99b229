import { WebAPIPlatformError } from '@slack/web-api';
import { describe, expect, it, test } from 'vitest';
import type { Fault } from '../../sandbox/slack/index.ts';
import { isLate } from '../../src/slack/errors.ts';
import { BUYER, LEAD, openOffice } from '../support/office.ts';
import { command, dmWith, file, hears, logged, openForm, press, reaches } from '../support/steps.ts';

const REPEAT = 'Nothing was filed and no money has moved';

const SOME_DATE = 'Sun, 29 Nov 2026 13:00:00 GMT';

describe('a form that does not open says why', () => {
  it.each<[string, Fault, RegExp]>([
    ['too late for Slack', { kind: 'error', code: 'expired_trigger_id' }, /in time.*do that again/],
    ['refused', { kind: 'error', code: 'invalid_blocks' }, /refused to open the form \(invalid_blocks\).*whoever runs/],
    ['refused a token', { kind: 'error', code: 'token_revoked' }, /refused to open the form \(token_revoked\)/],
    ['too many calls', { kind: 'rate_limit', retryAfter: 7 }, /takes no more calls.*in 7 s/],
    ['too many calls, for no time', { kind: 'rate_limit', retryAfter: 0 }, /takes no more calls.*in 1 second/],
    ['too many calls, for who knows how long', { kind: 'rate_limit', retryAfter: null }, /takes no more.*in 30 s/],
    ['too many calls, until a date', { kind: 'rate_limit', retryAfter: SOME_DATE }, /takes no more calls.*in 30 s/],
    ['an outage', { kind: 'status', status: 503 }, /did not answer.*do that again/],
    ['an outage by its name', { kind: 'error', code: 'internal_error' }, /did not answer.*do that again/],
    ['no answer', { kind: 'reset', when: 'before' }, /did not answer.*do that again/],
    ['a page of something in between', { kind: 'body', body: '<html>Bad gateway</html>' }, /did not answer.*again/],
    ['JSON of something in between', { kind: 'body', body: '{"message":"busy"}' }, /did not answer.*do that again/],
  ])('%s', async (_, fault, words) => {
    const office = await openOffice();
    office.slack.faults.add('views.open', fault);
    await command(office, 'buy US 10', BUYER);
    const heard = await hears(office, BUYER, words);
    expect(heard).toContain(REPEAT);
    if (!words.source.includes('in time')) expect(heard).not.toContain('in time');
  });

  it('the list that is pasted into says so too, and nothing where the form was closed meanwhile', async () => {
    const office = await openOffice();
    const bea = await openForm(office, 'US 1');
    office.slack.faults.add('views.push', { kind: 'error', code: 'not_found' });
    await bea.press('Paste a list');
    await logged(office, 'closed before another could lie on it');
    office.slack.faults.add('views.push', { kind: 'error', code: 'expired_trigger_id' });
    await bea.press('Paste a list');
    await dmWith(office, BUYER, 'Slack did not open the form in time');
    expect(bea.screen.dm).toHaveLength(1);
  });

  it('also to an approver, who can press again', async () => {
    const office = await openOffice();
    const id = await file(office, 'US 10');
    office.slack.faults.add('views.open', { kind: 'rate_limit', retryAfter: 3 });
    await press(office, id, 'Approve', LEAD);
    await hears(office, LEAD, 'takes no more calls');
    await press(office, id, 'Approve', LEAD);
    const lea = office.slack.as(LEAD);
    await lea.waitFor((screen) => screen.modal?.submit);
    await reaches(office, id, 'requested');
  });
});

test('a trigger that Slack calls expired among invalid arguments is too late as well', () => {
  const expired = { messages: ['[ERROR] `trigger_id` expired'] };
  const invalid = (response_metadata: { messages?: string[] }) =>
    new WebAPIPlatformError({ ok: false, error: 'invalid_arguments', response_metadata });
  expect(isLate(invalid(expired))).toBe(true);
  expect(isLate(invalid({ messages: ['[ERROR] missing required field: blocks'] }))).toBe(false);
  expect(isLate(invalid({}))).toBe(true);
});
