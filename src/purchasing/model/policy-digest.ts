import { createHash } from 'node:crypto';
import type { Policy } from './policy.ts';

/** Equal for policies that mean the same, however their files are written. */
export function policyDigest(policy: Policy): string {
  return digestOf(policy);
}

/** Equal for equal values. */
export function digestOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** As people compare it: `3f2a91c`. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 7);
}
