import type { ComponentChildren } from 'preact';
import type { Message } from '../slack/types.ts';
import { Blocks } from './blocks.tsx';
import { timeOfDay } from './dates.ts';
import { Avatar, Icon } from './icons.tsx';
import { useMessageSurface } from './message-surface.ts';
import { usePage } from './page-context.ts';
import { SurfaceContext } from './surface.ts';
import { Mrkdwn } from './text.tsx';

/** A message of the app or of Slack itself. `isFollowing`: the one above is by the same author, so the name is not repeated. */
export function MessageItem({ message, isFollowing }: { message: Message; isFollowing: boolean }) {
  const { snapshot } = usePage();
  const surface = useMessageSurface(message);
  const author = message.bySlack ? 'Slackbot' : snapshot.app.name;
  const isPrivate = message.ephemeralTo !== undefined;
  const hasBlocks = message.blocks.length > 0;
  return (
    <Frame author={author} isApp ts={message.ts} isFollowing={isFollowing} isPrivate={isPrivate}>
      <SurfaceContext.Provider value={surface}>
        {hasBlocks ? (
          <Blocks blocks={message.blocks} />
        ) : (
          <div class="text">
            <Mrkdwn text={message.text} />
          </div>
        )}
        {message.edits > 0 && <span class="edited">(edited)</span>}
      </SurfaceContext.Provider>
    </Frame>
  );
}

export function ChatItem({
  name,
  ts,
  text,
  isFollowing,
}: {
  name: string;
  ts: string;
  text: string;
  isFollowing: boolean;
}) {
  return (
    <Frame author={name} isApp={false} ts={ts} isFollowing={isFollowing} isPrivate={false}>
      <div class="text plain">{text}</div>
    </Frame>
  );
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
    <article class={`message${isFollowing ? ' following' : ''}${isPrivate ? ' private' : ''}`} data-ts={ts}>
      {isPrivate && (
        <p class="only-you">
          <Icon name="eye" size={14} />
          Only visible to you
        </p>
      )}
      <div class="gutter">
        {isFollowing ? <time class="gutter-time">{timeOfDay(at)}</time> : <Avatar name={author} isApp={isApp} />}
      </div>
      <div class="message-body">
        <header class={isFollowing ? 'visually-hidden' : 'message-head'}>
          <b class="author">{author}</b>
          {isApp && <span class="app-badge">APP</span>}
          <time title={at.toString()}>{timeOfDay(at)}</time>
        </header>
        {children}
      </div>
    </article>
  );
}
