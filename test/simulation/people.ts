import type { ClickedMessage } from '../../src/purchasing/model/click.ts';
import type { Policy, Right } from '../../src/purchasing/model/policy.ts';

export const ANN = 'U0ANN';
export const BEN = 'U0BEN';
export const LEA = 'U0LEA';
/** May buy and approve. */
export const LOU = 'U0LOU';
export const SUE = 'U0SUE';
export const EVERYBODY = [ANN, BEN, LEA, LOU, SUE] as const;

export const ACCESS: Policy['access'] = {
  balance: ['S0TEAM'],
  buy: ['S0BUYERS'],
  renew: ['S0BUYERS'],
  approve: ['S0LEADS'],
};

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  S0TEAM: [ANN, BEN, LEA, LOU],
  S0BUYERS: [ANN, BEN, LOU],
  S0LEADS: [LEA, LOU],
};

interface Snapshot {
  readonly from: number;
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  readonly guests: ReadonlySet<string>;
}

/** Who was in which group at which time: what Slack would truly have said. */
export class Office {
  readonly #history: Snapshot[] = [
    {
      from: 0,
      members: new Map(Object.entries(MEMBERS).map(([group, users]) => [group, new Set(users)])),
      guests: new Set(),
    },
  ];

  #now(): Snapshot {
    const last = this.#history.at(-1);
    if (!last) throw new Error('there is always a first snapshot');
    return last;
  }

  members(group: string): readonly string[] {
    return [...(this.#now().members.get(group) ?? [])];
  }

  isGuest(user: string): boolean {
    return this.#now().guests.has(user);
  }

  /** In the group if he was not, out of it if he was. */
  toggle(user: string, group: string, at: number): void {
    const now = this.#now();
    const members = new Set(now.members.get(group));
    if (!members.delete(user)) members.add(user);
    this.#history.push({ ...now, from: at, members: new Map(now.members).set(group, members) });
  }

  toggleGuest(user: string, at: number): void {
    const now = this.#now();
    const guests = new Set(now.guests);
    if (!guests.delete(user)) guests.add(user);
    this.#history.push({ ...now, from: at, guests });
  }

  /** Whether the workspace has joined an organisation: its people have ids there beside those they had. */
  inOrganisation = false;

  /** The human, as Slack's record of a person names one. */
  personOf(user: string): string {
    return this.inOrganisation ? organisationId(user) : user;
  }

  /** Every id of the human that Slack tells. */
  idsOf(user: string): ReadonlySet<string> {
    return new Set([user, this.personOf(user)]);
  }

  /** Everything as it was in the beginning. */
  restore(at: number): void {
    const [first] = this.#history;
    if (first) this.#history.push({ ...first, from: at });
  }

  /** Whether Slack could truthfully have said so in answers given between these times. */
  mayHaveHad(user: string, right: Right, from: number, to: number): boolean {
    const within = this.#history.filter((snapshot, index) => {
      const until = this.#history[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      return snapshot.from <= to && until >= from;
    });
    const groups = ACCESS[right];
    return (
      within.some(({ members }) => groups.some((group) => members.get(group)?.has(user))) &&
      within.some(({ guests }) => !guests.has(user))
    );
  }
}

export function organisationId(user: string): string {
  return `W${user.slice(1)}`;
}

/** A person's direct messages with the bot. */
export function directOf(user: string): string {
  return `D${user}`;
}

/** A message whose posting was not confirmed, in this person's direct messages. */
export function directMessage(user: string): ClickedMessage {
  return { channel: directOf(user), ts: '', isPrivateAnswer: false };
}
