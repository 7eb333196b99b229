import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Channel } from '../slack/types.ts';
import { Composer } from './composer.tsx';
import type { Entry } from './conversation.ts';
import { focusComposer } from './focus.ts';
import { Icon } from './icons.tsx';
import { countOf, EntryItem } from './message.tsx';
import { isSameBreath } from './message-list.tsx';
import { usePage } from './page-context.ts';

/** A message and the answers to it, beside the conversation. `channel`: null in the direct messages with the app. */
export function ThreadPane({ first, channel, where }: { first: Entry; channel: Channel | null; where: string }) {
  const { snapshot, openThread } = usePage();
  const { app } = snapshot;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [first.replies.length]);
  const close = () => {
    openThread(null);
    focusComposer();
  };
  return (
    <section class="pane thread" aria-label="Thread">
      <header class="pane-head">
        <h2 class="thread-title">Thread</h2>
        <span class="thread-where">{channel ? `#${channel.name}` : app.name}</span>
        <button type="button" class="icon-button thread-close" aria-label="Close thread" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div
        ref={list}
        class="messages"
        role="log"
        aria-label="Messages in the thread"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it
        tabIndex={0}
      >
        <EntryItem entry={first} isFollowing={false} isInThread />
        {first.replies.length > 0 && <p class="thread-count">{countOf(first.replies)}</p>}
        {first.replies.map((reply, index) => (
          <EntryItem
            key={reply.ts}
            entry={reply}
            isFollowing={isSameBreath(first.replies[index - 1], reply)}
            isInThread
          />
        ))}
      </div>
      {channel || app.messagesTab === 'open' ? (
        <Composer channel={where} threadTs={first.ts} label="Reply…" />
      ) : (
        <p class="no-composer">Sending messages to this app has been turned off.</p>
      )}
    </section>
  );
}
