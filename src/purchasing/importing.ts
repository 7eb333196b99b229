import type { Click } from './model/click.ts';
import type { FoundOwner, ImportReview, ImportRow, LineProblem, ListedOrder, ListedOwner } from './model/import.ts';
import type { Policy } from './model/policy.ts';
import { isRefusal, type Refusal } from './model/refusals.ts';
import type { Directory } from './ports/directory.ts';
import type { Orders } from './ports/orders.ts';
import type { People } from './ports/people.ts';
import { decideImport, type Imported, ordersNamed, ownerText, reviewImport } from './rules/importing.ts';
import { checkRights } from './rules/rights.ts';

export interface ImportingDeps {
  readonly orders: Orders;
  readonly directory: Directory;
  readonly people: People;
  readonly policy: () => Policy;
  /** There is something new to tell. */
  readonly wake: () => void;
}

/** Slack waits 3 s for the answer to a submitted list; what it does not say in this time is asked for again. */
const OWNERS_WITHIN_MS = 1_500;

/** Orders that were bought elsewhere, written down by those who approve. It spends nothing. */
export class Importing {
  readonly #deps: ImportingDeps;

  constructor(deps: ImportingDeps) {
    this.#deps = deps;
  }

  /** What a list would add, as of now, and what is wrong with it; writes nothing. */
  async review(
    user: string,
    lines: readonly ListedOrder[],
    unread: readonly LineProblem[],
  ): Promise<ImportReview | Refusal> {
    const { directory, orders, policy } = this.#deps;
    const allowed = await checkRights(directory, user, ['approve'], 'cached');
    if (isRefusal(allowed)) return allowed;
    const [ownerOf, facts] = await Promise.all([this.#owners(lines), orders.look(ordersNamed(lines))]);
    return reviewImport(lines, unread, { facts, plans: policy().plans, ownerOf });
  }

  /** Writes exactly these rows, or none. */
  async write(click: Click, rows: readonly ImportRow[]): Promise<Imported> {
    const { directory, orders, wake } = this.#deps;
    const by = { user: click.user, allowed: await checkRights(directory, click.user, ['approve'], 'fresh') };
    const ids = rows.map(({ orderId }) => orderId);
    const result = await orders.change(ids, (facts) => decideImport(facts, by, rows), click.id);
    wake();
    return result;
  }

  /** Each person is looked for once, all at the same time. */
  async #owners(lines: readonly ListedOrder[]): Promise<(listed: ListedOwner) => FoundOwner> {
    const named = new Map(lines.flatMap(({ owner }) => (owner ? [[ownerText(owner), owner] as const] : [])));
    const asked = [...named].map(
      async ([text, owner]) => [text, await this.#deps.people.find(owner, OWNERS_WITHIN_MS)] as const,
    );
    const found = new Map(await Promise.all(asked));
    return (owner) => found.get(ownerText(owner)) ?? { found: 'nobody' };
  }
}
