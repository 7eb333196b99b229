import { toEntry, toPurchase } from '../../src/ledger/rows.ts';
import type { Entry, FilingEvidence } from '../../src/purchasing/model/entries.ts';
import type { Purchase } from '../../src/purchasing/model/purchase.ts';
import type { Sides } from '../../src/purchasing/ports/ledger.ts';
import type { Shared } from './database.ts';

export type Line = Entry & { readonly purchase: string | null };

/** A try at sending, as the auditor saw it. Times are the scheduler's. */
export interface Try {
  readonly id: string;
  readonly purchase: string;
  readonly at: number;
  /** When the asking began on which it rests. */
  readonly askedSince: number;
  /** When its end was recorded, whatever it was. */
  endedAt: number | null;
  firstReading: boolean;
}

/** What the auditor reads in the ledger, beside the product. */
export class Known {
  readonly #shared: Shared;
  #seq = 0;
  purchases: ReadonlyMap<string, Purchase> = new Map();
  readonly tries: Try[] = [];

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Entries written since the last look. */
  newLines(): readonly Line[] {
    const rows = this.#shared.rows('SELECT * FROM entries WHERE seq > ? ORDER BY seq', this.#seq);
    const lines = rows.map((row) => {
      const columns = row as Parameters<typeof toEntry>[0];
      return { ...toEntry(columns), purchase: columns['purchase_id'] === null ? null : String(columns['purchase_id']) };
    });
    this.#seq = lines.at(-1)?.seq ?? this.#seq;
    return lines;
  }

  /** @returns what was known before. */
  look(): ReadonlyMap<string, Purchase> {
    const before = this.purchases;
    const rows = this.#shared.rows('SELECT * FROM purchases ORDER BY seq');
    const found = rows.map((row) => toPurchase(row as Parameters<typeof toPurchase>[0]));
    this.purchases = new Map(found.map((purchase) => [purchase.id, purchase]));
    return before;
  }

  /** Whose a purchase is; never changes. */
  sides(id: string): Sides | undefined {
    const purchase = this.purchases.get(id);
    if (!purchase) return undefined;
    const [filed] = this.rows('SELECT detail FROM entries WHERE purchase_id = ? ORDER BY seq LIMIT 1', id);
    const { kept } = JSON.parse(String(filed?.['detail'])) as FilingEvidence;
    return { requester: purchase.requester, keptBy: kept?.by ?? null };
  }

  frozen(): boolean {
    return this.rows('SELECT frozen_at FROM desk')[0]?.['frozen_at'] !== null;
  }

  rows(statement: string, ...values: readonly (string | number)[]): readonly Record<string, unknown>[] {
    return this.#shared.rows(statement, ...values);
  }

  lastTry(purchase: string): Try | undefined {
    return this.tries.findLast((one) => one.purchase === purchase);
  }
}
