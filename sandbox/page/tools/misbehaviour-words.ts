import type { VendorEndpoint } from '../../demo/wire.ts';
import { MISBEHAVIOURS, type Misbehaviour } from '../../vendor-api/misbehaviours.ts';

export const ENDPOINT_NAMES: readonly { readonly id: VendorEndpoint; readonly label: string }[] = [
  { id: 'create', label: 'Purchase' },
  { id: 'renew', label: 'Renewal' },
  { id: 'balance', label: 'Balance' },
  { id: 'connection', label: 'Connection' },
];

/** `Never answer (charges)` */
export function describe(misbehaviour: Misbehaviour): string {
  const { label, charges } = MISBEHAVIOURS[misbehaviour.name];
  if (misbehaviour.name === 'as_documented') return label;
  const charge = 'charge' in misbehaviour ? misbehaviour.charge : charges;
  return `${label} (${charge ? 'charges' : 'charges nothing'})`;
}
