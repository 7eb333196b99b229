import type { Access, Approvals, Limits, Plan, Policy } from '../purchasing/model/policy.ts';

/** The policy that was read last. Each part is looked up when it is used, so that a new policy holds at once. */
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

  /** The whole policy as it was read. */
  get asRead(): Policy {
    return this.#read;
  }

  replace(next: Policy): void {
    this.#read = next;
  }
}
