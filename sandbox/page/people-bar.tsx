import { Avatar } from './avatar.tsx';
import { channelsOf, useDesk } from './desk.ts';
import { type Seen, unread } from './seen.ts';

/** Whose screen it is. Not a part of Slack: in the sandbox one person plays everybody. */
export function PeopleBar({ seen, go }: { seen: Seen; go: (person: string) => void }) {
  const { snapshot, me } = useDesk();
  const news = (id: string) =>
    [snapshot.directs[id] ?? '', ...channelsOf(snapshot, id).map((channel) => channel.id)]
      .map((channel) => unread(snapshot.messages, seen, id, channel))
      .reduce((sum, count) => sum + count, 0);
  return (
    <nav class="people" aria-label="Who you are">
      {Object.values(snapshot.people).map(({ id, realName }) => {
        const count = id === me ? 0 : news(id);
        return (
          <button type="button" key={id} class="person" aria-pressed={id === me} onClick={() => go(id)}>
            <span class="person-avatar">
              <Avatar name={realName} size={28} />
              {count > 0 && <span class="dot" aria-hidden="true" />}
            </span>
            <span class="person-words">
              <b>{realName.split(' ')[0]}</b>
              <small>{snapshot.roles[id] ?? ''}</small>
            </span>
            {count > 0 && <span class="visually-hidden">, {count} unread</span>}
          </button>
        );
      })}
    </nav>
  );
}
