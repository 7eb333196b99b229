import type { State } from './purchase.ts';

/** Another purchase of the same content. */
export interface Twin {
  readonly id: string;
  readonly state: State;
  readonly requester: string;
  readonly changedAt: number;
}
