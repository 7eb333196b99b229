import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Push, ShownMessage } from '../demo/wire.ts';
import { AppPane } from './app-pane.tsx';
import { ChannelPane } from './channel-pane.tsx';
import { conversation, newestIn } from './conversation.ts';
import { usePaneKeys } from './focus.ts';
import { withFrozenMessages } from './frozen-messages.ts';
import { Modal } from './modal.tsx';
import { channelsOf, PageContext } from './page-context.ts';
import { useReadMarks } from './read-marks.ts';
import { goTo, useRoute } from './route.ts';
import { listen } from './server.ts';
import { Sidebar } from './sidebar.tsx';
import { type Known, NOTHING_KNOWN, take } from './store.ts';
import { ThreadPane } from './thread-pane.tsx';
import { Tools } from './tools/tools.tsx';
import { TopBar } from './top-bar.tsx';

type Heard = Push | { readonly type: 'lost' };

const TOAST_MS = 6_000;

const reduce = (known: Known, heard: Heard): Known =>
  heard.type === 'lost' ? { ...known, isConnected: false } : take(known, heard);

export function App() {
  const [{ snapshot: live, isConnected }, hear] = useReducer<Known, Heard>(reduce, NOTHING_KNOWN);
  useEffect(() => listen(hear, () => hear({ type: 'lost' })), []);
  const route = useRoute();
  const [frozen, setFrozen] = useState<readonly ShownMessage[] | null>(null);
  const [toastText, toast] = useToast();
  // On a narrow screen one thing is shown at a time.
  const [narrow, setNarrow] = useState<'list' | 'conversation' | 'tools'>('conversation');
  usePaneKeys();

  const snapshot = useMemo(() => (live && frozen ? withFrozenMessages(live, frozen) : live), [live, frozen]);
  const me = snapshot
    ? (Object.values(snapshot.people).find(({ name }) => name === route.person)?.id ??
      Object.keys(snapshot.people)[0] ??
      '')
    : '';
  const channel = snapshot && channelsOf(snapshot, me).find(({ name }) => name === (route.where ?? 'general'));
  const here = snapshot ? (channel?.id ?? snapshot.directs[me] ?? '') : '';
  const entries = useMemo(() => (snapshot ? conversation(snapshot, me, here) : []), [snapshot, me, here]);
  const readMarks = useReadMarks(me, here, newestIn(entries));

  const title = snapshot
    ? `${snapshot.people[me]?.name ?? me} · ${channel?.name ?? snapshot.app.name} – sandbox`
    : 'Sandbox';
  useEffect(() => {
    document.title = title;
  }, [title]);

  if (!snapshot)
    return (
      <p class="loading">
        {isConnected ? 'Opening the sandbox…' : 'The sandbox does not answer. Is “npm run demo” running?'}
      </p>
    );
  const nameOf = (id: string) => snapshot.people[id]?.name ?? id;
  const where = channel?.name ?? (route.where === 'app' ? 'app' : 'general');
  const stack = snapshot.stacks[me] ?? [];
  const now = () => new Date(Date.now() + snapshot.aheadMs);
  const back = () => setNarrow('list');
  const openThread = (ts: string | null) => goTo({ person: nameOf(me), where, ...(ts === null ? {} : { thread: ts }) });
  const thread = entries.find(({ ts }) => ts === route.thread);
  return (
    <PageContext.Provider value={{ snapshot, me, openThread, toast, now }}>
      <div class="app" data-narrow={narrow}>
        <TopBar
          readMarks={readMarks}
          go={(id) => {
            goTo({
              person: nameOf(id),
              where: channelsOf(snapshot, id).some(({ name }) => name === where) || where === 'app' ? where : 'general',
            });
          }}
          isFrozen={frozen !== null}
          freeze={() => setFrozen(frozen === null && live ? live.messages : null)}
          isConnected={isConnected}
        />
        <main class="slack">
          <div class={thread ? 'slack-inside with-thread' : 'slack-inside'} inert={stack.length > 0}>
            <Sidebar
              where={where}
              readMarks={readMarks}
              go={(to) => {
                goTo({ person: nameOf(me), where: to });
                setNarrow('conversation');
              }}
            />
            {channel ? (
              <ChannelPane channel={channel} entries={entries} back={back} />
            ) : (
              <AppPane entries={entries} back={back} />
            )}
            {thread && <ThreadPane key={`${me} ${thread.ts}`} first={thread} channel={channel ?? null} where={here} />}
          </div>
          <Modal key={me} stack={stack} />
          {toastText !== null && (
            <p class="toast" role="alert">
              {toastText}
            </p>
          )}
        </main>
        <Tools />
        <nav class="narrow-nav" aria-label="Parts">
          <button type="button" aria-pressed={narrow !== 'tools'} onClick={() => setNarrow('conversation')}>
            Slack
          </button>
          <button type="button" aria-pressed={narrow === 'tools'} onClick={() => setNarrow('tools')}>
            Vendor &amp; tools
          </button>
        </nav>
      </div>
    </PageContext.Provider>
  );
}

function useToast() {
  const [text, setText] = useState<string | null>(null);
  const toast = useCallback((words: string) => setText(words), []);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => setText(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, toast] as const;
}
