import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { Push } from '../demo/wire.ts';
import type { Message } from '../slack/types.ts';
import { AppPane } from './app-pane.tsx';
import { ChannelPane } from './channel.tsx';
import { channelsOf, DeskContext, messagesIn } from './desk.ts';
import { withoutEdits } from './held.ts';
import { Modal } from './modal.tsx';
import { usePaneKeys } from './pane-keys.ts';
import { goTo, readPlace, useHash } from './place.ts';
import { loadSeen, type Seen, saveSeen, seenKey } from './seen.ts';
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
  const place = readPlace(useHash());
  const [held, setHeld] = useState<readonly Message[] | null>(null);
  const [toastText, setToast] = useState<string | null>(null);
  const [seen, setSeen] = useState<Seen>(loadSeen);
  // On a narrow screen one thing is shown at a time.
  const [narrow, setNarrow] = useState<'list' | 'conversation' | 'tools'>('conversation');
  usePaneKeys();

  const toast = useCallback((text: string) => setToast(text), []);
  useEffect(() => {
    if (toastText === null) return;
    const timer = setTimeout(() => setToast(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toastText]);

  const snapshot = useMemo(() => (live && held ? withoutEdits(live, held) : live), [live, held]);
  const me = snapshot
    ? (Object.values(snapshot.people).find(({ name }) => name === place.person)?.id ??
      Object.keys(snapshot.people)[0] ??
      '')
    : '';
  const channel = snapshot && channelsOf(snapshot, me).find(({ name }) => name === (place.where ?? 'general'));
  const here = snapshot ? (channel?.id ?? snapshot.directs[me] ?? '') : '';
  const newest = snapshot ? messagesIn(snapshot, me, here).at(-1)?.ts : undefined;
  useEffect(() => {
    if (newest === undefined) return;
    setSeen((before) => {
      const key = seenKey(me, here);
      if ((before[key] ?? '') >= newest) return before;
      const after = { ...before, [key]: newest };
      saveSeen(after);
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
  const where = channel?.name ?? (place.where === 'app' ? 'app' : 'general');
  const stack = snapshot.stacks[me] ?? [];
  const back = () => setNarrow('list');
  return (
    <DeskContext.Provider value={{ snapshot, me, toast }}>
      <div class="app" data-narrow={narrow}>
        <TopBar
          seen={seen}
          go={(id) => {
            goTo({
              person: nameOf(id),
              where: channelsOf(snapshot, id).some(({ name }) => name === where) || where === 'app' ? where : 'general',
            });
          }}
          isHeld={held !== null}
          hold={() => setHeld(held === null && live ? live.messages : null)}
          isConnected={isConnected}
        />
        <main class="slack">
          <div class="slack-inside" inert={stack.length > 0}>
            <Sidebar
              where={where}
              seen={seen}
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
    </DeskContext.Provider>
  );
}
