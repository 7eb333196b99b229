import type { Plan } from '../purchasing/model/plan.ts';
import type { Access, Approvals, Limits, Policy } from '../purchasing/model/policy.ts';

/** The policy as it stands now: whoever asks it for a part is given that of the policy that was read last. */
export class CurrentPolicy implements Policy {
  #read: Policy;

  constructor(first: Policy) {
    this.#read = first;
  }

  get access(): Access {
    return this.#read.access;
  }

  get approvals(): Approvals {
    return this.#read.approvals;
  }

  get plans(): readonly Plan[] {
    return this.#read.plans;
  }

  get limits(): Limits {
    return this.#read.limits;
  }

  /** As it was read, whole. */
  get asRead(): Policy {
    return this.#read;
  }

  replace(next: Policy): void {
    this.#read = next;
  }
}
