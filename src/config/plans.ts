import { type Plan, TERM_UNITS, type Term } from '../purchasing/model/plan.ts';
import type { Problem } from './problem.ts';
import { Section } from './section.ts';

/** Slack's limits for a list: the text and the value of an option, and how many there may be. */
const LONGEST_OPTION = 75;
const MOST_OPTIONS = 100;

const PLAN_KEYS = ['product_id', 'name', 'type', 'network_type', 'term'];

/** At least one plan; each product id once, since that is what a renewal and a record are known by. */
export function readPlans(policy: Section, problems: Problem[]): readonly Plan[] {
  const value = policy.value('plans');
  if (!Array.isArray(value) || value.length === 0) {
    policy.note('plans', 'lists no plan', 'list at least one, as in policy.example.yml: nothing else can be bought');
    return [];
  }
  if (value.length > MOST_OPTIONS)
    policy.note('plans', `lists more than ${MOST_OPTIONS}, the most that Slack shows`, 'list fewer');
  const plans = value.flatMap((entry, index) => {
    const key = `plans[${index + 1}]`;
    return readPlan(Section.read(key, entry ?? 'nothing', PLAN_KEYS, problems)) ?? [];
  });
  const seen = new Set<string>();
  for (const { productId } of plans) {
    if (seen.has(productId)) policy.note('plans', `lists the product_id ${productId} twice`, 'keep one of them');
    seen.add(productId);
  }
  return plans;
}

function readPlan(section: Section): Plan | undefined {
  const productId = section.text('product_id', LONGEST_OPTION);
  const name = section.text('name', LONGEST_OPTION);
  const type = section.text('type', LONGEST_OPTION);
  const networkType = section.text('network_type', LONGEST_OPTION);
  const term = section.value('term') === undefined ? null : readTerm(section);
  if (!productId || !name || !type || !networkType || term === undefined) return undefined;
  return { productId, name, type, networkType, term, termText: term === null ? '' : termText(term) };
}

function readTerm(section: Section): Term | undefined {
  const text = section.value('term');
  const [, amount, typed] = (typeof text === 'string' && /^([1-9]\d{0,2}) ([a-z]+?)s?$/.exec(text)) || [];
  const unit = TERM_UNITS.find((known) => known === typed);
  if (unit !== undefined) return { amount: Number(amount), unit };
  return section.note('term', 'is not a term', 'write it like 30 days, 1 month or 1 year, or leave it out');
}

function termText({ amount, unit }: Term): string {
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}
