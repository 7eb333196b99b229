import { askNumber } from './approvals.ts';
import type { Ask } from './ask.ts';
import type { Draft } from './draft.ts';

const QUESTIONS = {
  ips_per_order: 'How many IPs may one order have at most?',
  ips_per_person_per_day: 'How many IPs may one person buy in 24 h at most?',
} as const;

/** What nobody may go beyond, not even with a yes. */
export async function askLimits(ask: Ask, draft: Draft): Promise<void> {
  ask.say('policy.yml has more, with a comment at each: limits in dollars, two approvers, reminders, a low balance.');
  for (const [key, question] of Object.entries(QUESTIONS)) {
    const number = await askNumber(ask, { question, now: draft.usual('limits', key) ?? '', place: ['limits', key] });
    draft.editSetting('limits', key, number);
  }
}
