import type { Channel, IdKind, Person, State, UserGroup } from './types.ts';

type People = Pick<State, 'people'>;

/** By either of the person's ids. */
export function findPerson({ people }: People, id: string): Person | undefined {
  return people[id] ?? Object.values(people).find((person) => person.enterpriseUserId === id);
}

export function idOf({ id, enterpriseUserId }: Person, kind: IdKind): string {
  if (kind === 'workspace') return id;
  if (enterpriseUserId === undefined) throw new Error(`${id} has no enterpriseUserId`);
  return enterpriseUserId;
}

/** Whose direct messages with the bot this channel holds. */
export function directOwner({ directs }: Pick<State, 'directs'>, channel: string): string | undefined {
  return Object.keys(directs).find((user) => directs[user] === channel);
}

/** The id that the app is told when this person acts. */
export function actingId(people: People, user: string): string {
  const person = findPerson(people, user);
  return person?.actsAs ? idOf(person, person.actsAs) : user;
}

export function isMember(people: People, channel: Channel | undefined, user: string): boolean {
  return channel?.members.some((member) => (findPerson(people, member)?.id ?? member) === user) ?? false;
}

export function channelsOf(state: Pick<State, 'people' | 'channels'>, user: string): Channel[] {
  return Object.values(state.channels).filter((channel) => isMember(state, channel, user));
}

/** A group's members by the ids that Slack lists. */
export function listedMembers(people: People, { members }: UserGroup): string[] {
  return members.map((member) => {
    const person = findPerson(people, member);
    return person?.listedAs ? idOf(person, person.listedAs) : member;
  });
}
