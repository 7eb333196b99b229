import { createHash } from 'node:crypto';
import type { Row, Value } from '../../sql.ts';
import type { Table } from './dialect.ts';

/** Tells tables apart by how many rows they have and what stands in them, in whatever order the rows come. */
export class Digest {
  readonly #columns: readonly string[];
  #rows = 0;
  #sum = 0n;

  constructor({ columns }: Table) {
    this.#columns = columns;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const content = JSON.stringify(this.#columns.map((column) => kept(row[column])));
      const hash = createHash('sha256').update(content).digest('hex');
      this.#rows += 1;
      this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    }
  }

  get rows(): number {
    return this.#rows;
  }

  equals(other: Digest): boolean {
    return this.#rows === other.#rows && this.#sum === other.#sum;
  }
}

/** PostgreSQL keeps no NUL: the ledger writes U+FFFD for it there. */
function kept(value: Value | undefined): Value | undefined {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
