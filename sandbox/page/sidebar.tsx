import type { ComponentChildren } from 'preact';
import { Avatar, Icon } from './icons.tsx';
import { channelsOf, usePage } from './page-context.ts';
import { type ReadMarks, type Unread, unread } from './read-marks.ts';

/** Slack's left column: channels and the app, with what is unread. */
export function Sidebar({
  where,
  readMarks,
  go,
}: {
  where: string;
  readMarks: ReadMarks;
  go: (where: string) => void;
}) {
  const { snapshot, me } = usePage();
  const direct = snapshot.directs[me] ?? '';
  const unreadIn = (channel: string) => unread(snapshot, readMarks, me, channel);
  return (
    <nav class="sidebar" aria-label="Channels and apps">
      <p class="workspace">{snapshot.team.name}</p>
      <h2>Channels</h2>
      <ul>
        {channelsOf(snapshot, me).map(({ id, name, isPrivate }) => (
          <Row key={id} isHere={where === name} unread={unreadIn(id)} go={() => go(name)}>
            <span class="sigil" aria-hidden="true">
              {isPrivate ? <Icon name="lock" size={14} /> : '#'}
            </span>
            {name}
          </Row>
        ))}
      </ul>
      <h2>Apps</h2>
      <ul>
        <Row isHere={where === 'app'} unread={unreadIn(direct)} go={() => go('app')}>
          <Avatar name={snapshot.app.name} size={20} isApp />
          {snapshot.app.name}
        </Row>
      </ul>
    </nav>
  );
}

function Row({
  isHere,
  unread: { isAny, count },
  go,
  children,
}: {
  isHere: boolean;
  unread: Unread;
  go: () => void;
  children: ComponentChildren;
}) {
  return (
    <li>
      <button
        type="button"
        class={isAny ? 'row has-unread' : 'row'}
        aria-current={isHere ? 'page' : undefined}
        onClick={go}
      >
        {children}
        {count > 0 ? (
          <span class="badge">
            {count}
            <span class="visually-hidden"> unread</span>
          </span>
        ) : (
          isAny && <span class="visually-hidden">, unread</span>
        )}
      </button>
    </li>
  );
}
