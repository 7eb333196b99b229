import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Push } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';
import { AppPane } from './app-pane.tsx';
import { ChannelPane } from './channel-pane.tsx';
import { usePaneKeys } from './focus.ts';
import { withFrozenMessages } from './frozen-messages.ts';
import { Modal } from './modal.tsx';
import { channelsOf, messagesIn, PageContext } from './page-context.ts';
import { loadReadMarks, type ReadMarks, readMarkKey, saveReadMarks } from './read-marks.ts';
import { goTo, useRoute } from './route.ts';
import { listen } from './server.ts';
import { Sidebar } from './sidebar.tsx';
import { type Known, take } from './store.ts';
import { Tools } from './tools/tools.tsx';
import { TopBar } from './top-bar.tsx';

type Heard = Push | { readonly type: 'lost' };

const TOAST_MS = 6_000;

const reduce = (known: Known, heard: Heard): Known =>
  heard.type === 'lost' ? { ...known, isConnected: false } : take(known, heard);

export function App() {
  const [{ snapshot: live, isConnected }, hear] = useReducer<Known, Heard>(reduce, {
    snapshot: null,
    isConnected: true,
  });
  useEffect(() => listen(hear, () => hear({ type: 'lost' })), []);
  const route = useRoute();
  const [frozen, setFrozen] = useState<readonly Message[] | null>(null);
  const [toastText, setToast] = useState<string | null>(null);
  const [readMarks, setReadMarks] = useState<ReadMarks>(loadReadMarks);
  // On a narrow screen one thing is shown at a time.
  const [narrow, setNarrow] = useState<'list' | 'conversation' | 'tools'>('conversation');
  usePaneKeys();

  const toast = useCallback((text: string) => setToast(text), []);
  useEffect(() => {
    if (toastText === null) return;
    const timer = setTimeout(() => setToast(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toastText]);

  const snapshot = useMemo(() => (live && frozen ? withFrozenMessages(live, frozen) : live), [live, frozen]);
  const me = snapshot
    ? (Object.values(snapshot.people).find(({ name }) => name === route.person)?.id ??
      Object.keys(snapshot.people)[0] ??
      '')
    : '';
  const channel = snapshot && channelsOf(snapshot, me).find(({ name }) => name === (route.where ?? 'general'));
  const here = snapshot ? (channel?.id ?? snapshot.directs[me] ?? '') : '';
  const newest = snapshot ? messagesIn(snapshot, me, here).at(-1)?.ts : undefined;
  useEffect(() => {
    if (newest === undefined) return;
    setReadMarks((before) => {
      const key = readMarkKey(me, here);
      if ((before[key] ?? '') >= newest) return before;
      const after = { ...before, [key]: newest };
      saveReadMarks(after);
      return after;
    });
  }, [newest, me, here]);

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
  const back = () => setNarrow('list');
  return (
    <PageContext.Provider value={{ snapshot, me, toast }}>
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
          <div class="slack-inside" inert={stack.length > 0}>
            <Sidebar
              where={where}
              readMarks={readMarks}
              go={(to) => {
                goTo({ person: nameOf(me), where: to });
                setNarrow('conversation');
              }}
            />
            {channel ? <ChannelPane channel={channel} back={back} /> : <AppPane back={back} />}
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
