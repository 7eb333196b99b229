import { problemAt } from '../config/policy.ts';
import { problemLine } from '../config/problem.ts';
import type { Ask } from './ask.ts';
import type { Draft, PolicyValues } from './draft.ts';

interface Field {
  readonly key: string;
  readonly question: string;
  readonly usual: string;
}

/** As the vendor's documentation shows them in use; it lists no others. */
const FIELDS: readonly Field[] = [
  { key: 'product_id', question: 'product_id: what the vendor calls the plan', usual: 'lt-monthly' },
  { key: 'name', question: 'name: what people see', usual: 'Static residential, monthly' },
  { key: 'type', question: 'type: the kind of proxy, as the vendor writes it', usual: 'long-term' },
  { key: 'network_type', question: 'network_type: the kind of network, as the vendor writes it', usual: 'residential' },
];
const TERM: Field = {
  key: 'term',
  question: 'term: how long it runs, like 1 month or 30 days; empty where you do not know',
  usual: '1 month',
};

/** What may be bought. The vendor tells no list of its plans. */
export async function askPlans(ask: Ask, draft: Draft): Promise<void> {
  const now = draft.policy('plans');
  const known: readonly PolicyValues[] = Array.isArray(now) ? now : [];
  const answer =
    known.length === 0
      ? 'anew'
      : await ask.choose(`Plans that may be bought: ${known.map(nameOf).join('; ')}.`, [
          { value: 'add', label: 'Add one' },
          { value: 'anew', label: 'Ask for all of them anew' },
          { value: 'keep', label: 'Keep them' },
        ]);
  if (answer === 'keep') return;
  ask.say('The vendor tells no list of its plans, so type them as its console or your contract has them.');
  const plans = answer === 'add' ? [...known] : [];
  do plans.push(await askPlan(ask, plans));
  while (await ask.yesOrNo('Add another plan?', false));
  draft.edit(['plans'], plans);
}

function nameOf({ name, product_id: id }: PolicyValues): string {
  return `${String(name)} (${String(id)})`;
}

async function askPlan(ask: Ask, before: readonly PolicyValues[]): Promise<PolicyValues> {
  const plan: Record<string, string> = {};
  for (const { key, question, usual } of [...FIELDS, TERM]) {
    const isFirst = before.length === 0;
    const typed = await ask.text(question, isFirst || key === 'type' || key === 'network_type' ? usual : '', (text) => {
      if (key === TERM.key && text === '') return undefined;
      const place = `plans[${before.length + 1}].${key}`;
      const problem = problemAt(place, { plans: [...before, { ...plan, [key]: text }] });
      return problem && problemLine({ ...problem, key: 'It' });
    });
    if (typed !== '') plan[key] = typed;
  }
  return plan;
}
