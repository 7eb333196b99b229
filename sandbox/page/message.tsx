import type { ComponentChildren } from 'preact';
import type { ShownMessage } from '../demo/wire.ts';
import { Blocks } from './blocks.tsx';
import type { Entry } from './conversation.ts';
import { dayAndTime, timeOfDay } from './dates.ts';
import { Avatar, Icon } from './icons.tsx';
import { useMessageSurface } from './message-surface.ts';
import { usePage } from './page-context.ts';
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
  const around = { ts, isFollowing, thread: isInThread ? null : <ThreadLine entry={entry} /> };
  if (content === 'deleted')
    return (
      <Frame {...around} author="" isApp={false} isPrivate={false}>
        <p class="deleted">This message was deleted.</p>
      </Frame>
    );
  if ('message' in content) {
    const { message } = content;
    const isPrivate = message.ephemeralTo !== undefined;
    return (
      <Frame
        {...around}
        author={message.bySlack ? 'Slackbot' : snapshot.app.name}
        isApp
        isPrivate={isPrivate}
        thread={isPrivate ? null : around.thread}
      >
        <Content message={message} />
      </Frame>
    );
  }
  const { user, text } = content.line;
  return (
    <Frame {...around} author={snapshot.people[user]?.realName ?? user} isApp={false} isPrivate={false}>
      <div class="text plain">{text}</div>
    </Frame>
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
      {message.edits > 0 && <span class="edited">(edited)</span>}
    </SurfaceContext.Provider>
  );
}

/** Opens the thread: a line under a message that has answers, otherwise a button that comes with the pointer or the focus. */
function ThreadLine({ entry: { ts, replies } }: { entry: Entry }) {
  const { openThread } = usePage();
  const last = replies.at(-1);
  return last ? (
    <p class="thread-line">
      <button type="button" onClick={() => openThread(ts)}>
        {countOf(replies)}
      </button>
      <span>Last reply {dayAndTime(last.ts)}</span>
    </p>
  ) : (
    <button type="button" class="thread-start" onClick={() => openThread(ts)}>
      Reply in thread
    </button>
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
  thread: ComponentChildren;
  children: ComponentChildren;
}) {
  const { author, isApp, ts, isFollowing, isPrivate, thread, children } = props;
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
        {thread}
      </div>
    </article>
  );
}
