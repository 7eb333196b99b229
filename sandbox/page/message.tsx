import type { ComponentChildren } from 'preact';
import type { ShownMessage } from '../demo/wire.ts';
import { Blocks } from './blocks.tsx';
import type { Entry } from './conversation.ts';
import { dayAndTime, timeOfDay } from './dates.ts';
import { Avatar, Icon } from './icons.tsx';
import { MenuButton } from './menu.tsx';
import { useMessageSurface } from './message-surface.ts';
import { unescaped } from './mrkdwn.ts';
import { usePage } from './page-context.ts';
import { fileUrl } from './server.ts';
import { useShortcuts } from './shortcuts.ts';
import { SurfaceContext } from './surface.ts';
import { Mrkdwn } from './text.tsx';

/** @param isFollowing the message above is by the same author, so the name is not repeated */
export function EntryItem({
  entry,
  isFollowing,
  isInThread,
}: {
  entry: Entry;
  isFollowing: boolean;
  isInThread: boolean;
}) {
  const { snapshot } = usePage();
  const { ts, content } = entry;
  if (content === 'deleted')
    return (
      <Frame ts={ts} isFollowing={false} author="" isApp={false} isPrivate={false}>
        <p class="deleted">This message was deleted.</p>
        {!isInThread && <ThreadLine entry={entry} />}
      </Frame>
    );
  const isPrivate = content.ephemeralTo !== undefined;
  const isApp = content.author === undefined;
  const author = isApp
    ? content.bySlack
      ? 'Slackbot'
      : snapshot.app.name
    : (snapshot.people[content.author ?? '']?.realName ?? content.author ?? '');
  return (
    <Frame ts={ts} isFollowing={isFollowing} author={author} isApp={isApp} isPrivate={isPrivate}>
      <InThread of={entry} />
      {isApp ? <Content message={content} /> : <div class="text plain">{unescaped(content.text)}</div>}
      {!isInThread && !isPrivate && <ThreadLine entry={entry} />}
      {!isPrivate && <Toolbar message={content} isInThread={isInThread} thread={entry.repliesTo ?? ts} />}
    </Frame>
  );
}

/** Over a reply that was also sent to the channel. */
function InThread({ of: { repliesTo } }: { of: Entry }) {
  const { openThread } = usePage();
  if (repliesTo === null) return null;
  return (
    <p class="thread-line">
      <button type="button" onClick={() => openThread(repliesTo)}>
        Replied to a thread
      </button>
    </p>
  );
}

/** What can be done with a message: it comes with the pointer or the focus. */
function Toolbar({ message, isInThread, thread }: { message: ShownMessage; isInThread: boolean; thread: string }) {
  const { openThread } = usePage();
  const shortcuts = useShortcuts(message);
  if (isInThread && shortcuts.length === 0) return null;
  return (
    <div class="toolbar">
      {!isInThread && (
        <button type="button" onClick={() => openThread(thread)}>
          Reply in thread
        </button>
      )}
      {shortcuts.length > 0 && (
        <MenuButton label="More actions" class="toolbar-more" items={shortcuts}>
          <Icon name="more" />
        </MenuButton>
      )}
    </div>
  );
}

function Content({ message }: { message: ShownMessage }) {
  const surface = useMessageSurface(message);
  return (
    <SurfaceContext.Provider value={surface}>
      {message.blocks.length > 0 ? (
        <Blocks blocks={message.blocks} />
      ) : (
        <div class="text">
          <Mrkdwn text={message.text} />
        </div>
      )}
      {(message.files ?? []).map(({ id, name, title }) => (
        <a class="file" key={id} href={fileUrl(id)} download={name}>
          <b>{title}</b>
          <span>{name}</span>
        </a>
      ))}
      {message.edits > 0 && <span class="edited">(edited)</span>}
    </SurfaceContext.Provider>
  );
}

/** Opens the thread, under a message that has answers. */
function ThreadLine({ entry: { ts, replies } }: { entry: Entry }) {
  const { openThread, now } = usePage();
  const last = replies.at(-1);
  if (!last) return null;
  return (
    <p class="thread-line">
      <button type="button" onClick={() => openThread(ts)}>
        {countOf(replies)}
      </button>
      <span>Last reply {dayAndTime(last.ts, now())}</span>
    </p>
  );
}

export function countOf(replies: readonly Entry[]): string {
  return replies.length === 1 ? '1 reply' : `${replies.length} replies`;
}

function Frame(props: {
  author: string;
  isApp: boolean;
  ts: string;
  isFollowing: boolean;
  isPrivate: boolean;
  children: ComponentChildren;
}) {
  const { author, isApp, ts, isFollowing, isPrivate, children } = props;
  const at = new Date(Number(ts) * 1000);
  return (
    <article
      class={`message${isFollowing ? ' following' : ''}${isPrivate ? ' private' : ''}`}
      aria-label={author || undefined}
      data-ts={ts}
    >
      {isPrivate && (
        <p class="only-you">
          <Icon name="eye" size={14} />
          Only visible to you
        </p>
      )}
      <div class="gutter">
        {isFollowing ? (
          <time class="gutter-time">{timeOfDay(at)}</time>
        ) : (
          author !== '' && <Avatar name={author} isApp={isApp} />
        )}
      </div>
      <div class="message-body">
        {author !== '' && (
          <header class={isFollowing ? 'visually-hidden' : 'message-head'}>
            <b class="author">{author}</b>
            {isApp && <span class="app-badge">APP</span>}
            <time title={at.toString()}>{timeOfDay(at)}</time>
          </header>
        )}
        {children}
      </div>
    </article>
  );
}
