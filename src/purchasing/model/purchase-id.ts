import { randomInt } from 'node:crypto';

/** Crockford's alphabet: no I, L, O or U, so that an id can be read out and typed on a phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8; // 2^40 ids

/** `P-7K3F9QMW`: short enough to say, too many to guess; the ledger refuses one that is taken. */
export function newPurchaseId(): string {
  return `P-${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}
