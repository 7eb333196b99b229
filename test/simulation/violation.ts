/** What must hold, by name; a breach ends the run. */
export const RULES = {
  post_without_sending: 'no POST without a committed `sending` of that very purchase',
  second_post: 'for one approved purchase at most one POST reaches the vendor',
  late_post: 'a POST starts within 5 s of its commit',
  two_sending: 'at most one purchase is being sent',
  unlisted: 'every transition is listed, and has its entry',
  wrong_approver: 'only a rightful other person approves',
  one_person: 'above the threshold, split or not, two different people have said yes and not taken it back',
  no_right_at_sending: 'rights are asked again just before sending',
  not_allowed: 'without an approval only what the policy lets a person buy alone is sent',
  over_limit: 'limits hold, whoever files together',
  over_dollars:
    'limits of a month in dollars hold, whoever files together, also when a price is learned or a month ends',
  twin_filed: 'the same content is not open twice by filing',
  twin_sent: 'nothing is sent while the same content is sending or unknown',
  twin_unticked: 'what was completed in the last 24 h is bought again only with the tick',
  half_batch: 'all rows of a batch are filed, or none',
  batch_twice: 'one submission files one batch',
  struck_out: 'a row that an approver has struck out is not approved by that',
  held_sent: 'no row of a batch is sent while another of it is unknown',
  kept_twice: 'an order that is kept files one renewal for one end',
  kept_unwanted:
    'what is kept is filed and sent only as long as it is kept, in its owner’s name, and filed before it ends',
  reminded_twice: 'each order, end and rung is told once',
  frozen_sent: 'a frozen desk starts nothing',
  too_old: 'what has expired is neither approved nor sent',
  too_many_attempts: 'three attempts at most, within 60 s',
  lane_early: 'the next is sent only after the first reading that follows the last',
  stale_balance: 'the balance before an attempt was read after the attempt before it',
  stale_reading: 'a reading that follows an attempt was taken after it',
  false_contradiction: 'only a reading after which nothing else was sent contradicts a refusal',
  guessed: 'what becomes completed or declined is what the vendor said',
  moved_by_nobody: 'an unknown outcome is settled by a rightful other person, and nothing else moves it',
  late_answer_moved: 'an answer that comes too late moves nothing',
  early_unknown: 'a `sending` is called unknown by another process only when it is overdue',
  counted_twice: 'what Slack delivers twice counts once',
  refused_and_filed: 'a submit that was refused files nothing, whenever it is delivered again',
  wrong_hands: 'each transition is made by whom it belongs to',
  lost_answer: 'an answer that reached a living process is kept',
  bug: 'nothing is thrown but outages',
  money: 'what the vendor took is what is completed, or what unknowns hide',
  not_back: 'when the trouble ends, everything comes to its end',
  untold: 'the requester is told each outcome',
  told_again: 'nobody is told the same again and again',
  stale_message: 'every message shows the final state',
  readings_missing: 'the readings after an attempt are taken',
} as const;
export type Rule = keyof typeof RULES;

export class Violation extends Error {
  readonly rule: Rule;
  constructor(rule: Rule, what: string) {
    super(`${RULES[rule]}: ${what}`);
    this.name = 'Violation';
    this.rule = rule;
  }
}
