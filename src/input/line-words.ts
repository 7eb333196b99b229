import type { FoundOwner, LineFault, LineProblem } from '../purchasing/model/import.ts';

/** How foreign text, people and times are written where the words are to be shown. */
export interface Pen {
  readonly foreign: (text: string) => string;
  readonly person: (id: string) => string;
  readonly time: (at: number) => string;
}

/** `line 3, countries: …`, with what would be right. */
export function lineProblemWords({ line, column, fault }: LineProblem, pen: Pen): string {
  // TypeScript does not see that the key and the argument belong together; the map below is checked for it.
  const words = FAULTS[fault.fault] as (fault: LineFault, pen: Pen) => string;
  return `line ${line}${column === null ? '' : `, ${column}`}: ${words(fault, pen)}`;
}

type Of<F extends LineFault['fault']> = Extract<LineFault, { fault: F }>;

const PLANS_SHOWN = 20;

const FAULTS = {
  unreadable: ({ words }, { foreign }) => foreign(words),
  plan_unknown: ({ productId, known }, { foreign }) =>
    foreign(
      `“${productId.slice(0, 80)}” is not the product_id of a plan in the policy. Those are: ${known.slice(0, PLANS_SHOWN).join(', ')}${known.length > PLANS_SHOWN ? ', …' : ''}.`,
    ),
  day_to_come: () => 'This day has not begun yet. (Days begin at midnight UTC.)',
  owner_not_found: ({ owner, why }, { foreign }) => foreign(OWNERS[why.found](owner, why)),
  held: ({ purchase, kind, by, at }, { foreign, person, time }) =>
    `The ledger holds this order already: request ${foreign(purchase)}, ${kind === 'buy' ? 'bought' : 'renewed'} by ${person(by)}, ${time(at)}. Leave the line out.`,
  imported_otherwise: ({ by, at, differs }, { person, time }) =>
    `It was imported before with other content (${differs.join(', ')}), by ${person(by)}, ${time(at)}. Leave the line out; what has changed since is said in the order book.`,
} as const satisfies { [F in LineFault['fault']]: (fault: Of<F>, pen: Pen) => string };

type Missing = Of<'owner_not_found'>['why'];

const OWNERS = {
  nobody: (owner) => `Slack knows nobody here by “${owner}”. Look at the spelling, or leave it empty.`,
  unreadable: (owner, why) =>
    `Slack could not be asked for “${owner}”. Try again in ${Math.max(1, Math.ceil('retryAfterSeconds' in why ? why.retryAfterSeconds : 1))} s.`,
  scope_missing: (owner) =>
    `“${owner}” cannot be looked up: the Slack app lacks the scope users:read.email. Write the Slack user id, or add the scope and install the app again.`,
  no_slack: (owner) =>
    `“${owner}” cannot be looked up without Slack. Write the Slack user id, or import the list in Slack.`,
} as const satisfies Record<Exclude<FoundOwner['found'], 'user'>, (owner: string, why: Missing) => string>;
