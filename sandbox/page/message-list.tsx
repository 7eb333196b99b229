import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatLine } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';
import { dayOf } from './dates.ts';
import { ChatItem, MessageItem } from './message.tsx';
import { usePage } from './page-context.ts';

type Entry = {
  readonly ts: string;
  readonly author: string;
  readonly content: { message: Message } | { line: ChatLine };
};

/** Seconds after which a name is written again, though the author is the same. */
const SAME_BREATH_S = 300;
/** How far from the end somebody may have scrolled and still be taken along. */
const NEAR_END_PX = 120;

/** The history of a conversation. A screen reader is told of what is added, and not of edits. */
export function MessageList({
  messages,
  chat,
  label,
  children,
}: {
  messages: readonly Message[];
  chat: readonly ChatLine[];
  label: string;
  children: ComponentChildren;
}) {
  const { snapshot } = usePage();
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const entries: Entry[] = [
    ...messages.map((message) => ({ ts: message.ts, author: authorOf(message), content: { message } })),
    ...chat.map((line) => ({ ts: line.ts, author: line.user, content: { line } })),
  ].sort((a, b) => Number(a.ts) - Number(b.ts));

  useLayoutEffect(() => {
    const node = list.current;
    if (node && isAtEnd.current) node.scrollTop = node.scrollHeight;
  });
  return (
    <div
      ref={list}
      class="messages"
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
      tabIndex={0}
      onScroll={({ currentTarget: node }) => {
        isAtEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_END_PX;
      }}
    >
      <div class="messages-start">{children}</div>
      {entries.map((entry, index) => {
        const before = entries[index - 1];
        const isNewDay = before === undefined || dayOf(before.ts) !== dayOf(entry.ts);
        const isFollowing =
          !isNewDay && before.author === entry.author && Number(entry.ts) - Number(before.ts) < SAME_BREATH_S;
        return (
          <div key={entry.ts}>
            {isNewDay && (
              <div class="day">
                <span>{dayOf(entry.ts)}</span>
              </div>
            )}
            {'message' in entry.content ? (
              <MessageItem message={entry.content.message} isFollowing={isFollowing} />
            ) : (
              <ChatItem
                name={snapshot.people[entry.content.line.user]?.realName ?? entry.content.line.user}
                ts={entry.ts}
                text={entry.content.line.text}
                isFollowing={isFollowing}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function authorOf({ bySlack, ephemeralTo }: Message): string {
  return `${bySlack ? 'slack' : 'app'} ${ephemeralTo === undefined ? '' : 'private'}`;
}
