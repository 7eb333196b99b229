import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Entry } from './conversation.ts';
import { dayOf } from './dates.ts';
import { EntryItem } from './message.tsx';
import { usePage } from './page-context.ts';

/** Seconds after which a name is written again, though the author is the same. */
const SAME_BREATH_S = 300;
/** How far from the end a reader may have scrolled and still follow new messages. */
const NEAR_END_PX = 120;

/** The history of a conversation. A screen reader is told of what is added, and not of edits. */
export function MessageList({
  entries,
  label,
  children,
}: {
  entries: readonly Entry[];
  label: string;
  children: ComponentChildren;
}) {
  const now = usePage().now();
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const node = list.current;
    // What stands before the first message is read from the top.
    if (node && entries.length > 0 && isAtEnd.current) node.scrollTop = node.scrollHeight;
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
        const isNewDay = before === undefined || dayOf(before.ts, now) !== dayOf(entry.ts, now);
        return (
          <div key={entry.ts}>
            {isNewDay && (
              <div class="day">
                <span>{dayOf(entry.ts, now)}</span>
              </div>
            )}
            <EntryItem entry={entry} isFollowing={!isNewDay && isSameBreath(before, entry)} isInThread={false} />
          </div>
        );
      })}
    </div>
  );
}

/** A message that stands under one of the same author, written shortly before: the name is not repeated. */
export function isSameBreath(before: Entry | undefined, entry: Entry): boolean {
  return (
    before !== undefined &&
    authorOf(before) === authorOf(entry) &&
    before.replies.length === 0 &&
    Number(entry.ts) - Number(before.ts) < SAME_BREATH_S
  );
}

function authorOf({ content }: Entry): string {
  if (content === 'deleted') return 'deleted';
  const { author, bySlack, ephemeralTo } = content;
  if (author !== undefined) return author;
  return `${bySlack ? 'slack' : 'app'} ${ephemeralTo === undefined ? '' : 'private'}`;
}
