import { useEffect, useState } from 'preact/hooks';
import type { ViewRecord } from '../slack/types.ts';
import { Blocks } from './blocks.tsx';
import { Composer } from './composer.tsx';
import { Avatar, Icon } from './icons.tsx';
import { MessageList } from './message-list.tsx';
import { messagesIn, usePage } from './page-context.ts';
import { act } from './server.ts';
import { SurfaceContext } from './surface.ts';
import { Tabs } from './tabs.tsx';
import { useViewSurface } from './view-surface.ts';

type Tab = 'home' | 'messages' | 'about';

/** The app itself: its Home tab, the direct messages with it, and what its manifest says. */
export function AppPane({ back }: { back: () => void }) {
  const { snapshot, me } = usePage();
  const [tab, setTab] = useState<Tab>('messages');
  const { app } = snapshot;
  useEffect(() => {
    if (tab !== 'about') void act({ do: 'open_home', user: me, tab });
  }, [tab, me]);
  return (
    <section class="pane" aria-label={app.name}>
      <header class="pane-head">
        <button type="button" class="icon-button back" aria-label="Back to the list" onClick={back}>
          <Icon name="back" size={20} />
        </button>
        <Avatar name={app.name} size={24} isApp />
        <h1>{app.name}</h1>
        <span class="app-badge">APP</span>
      </header>
      <Tabs
        label={app.name}
        tabs={[
          { id: 'home', label: 'Home' },
          { id: 'messages', label: 'Messages' },
          { id: 'about', label: 'About' },
        ]}
        at={tab}
        go={setTab}
      >
        {tab === 'home' && <HomeTab />}
        {tab === 'messages' && <MessagesTab />}
        {tab === 'about' && <AboutTab />}
      </Tabs>
    </section>
  );
}

function HomeTab() {
  const { snapshot, me } = usePage();
  if (!snapshot.app.homeTab) return <p class="nothing-here">This app has no Home tab.</p>;
  const home = snapshot.homes[me];
  return home ? <HomeView view={home} /> : <p class="nothing-here">The app has not published its Home tab yet.</p>;
}

function HomeView({ view }: { view: ViewRecord }) {
  const { surface } = useViewSurface(view);
  return (
    <SurfaceContext.Provider value={surface}>
      <div class="home">
        <Blocks blocks={view.blocks} />
      </div>
    </SurfaceContext.Provider>
  );
}

function MessagesTab() {
  const { snapshot, me } = usePage();
  const { app } = snapshot;
  const channel = snapshot.directs[me] ?? '';
  return (
    <>
      <MessageList
        key={`${me} ${channel}`}
        label={`Direct messages with ${app.name}`}
        messages={messagesIn(snapshot, me, channel)}
        chat={[]}
      >
        <Avatar name={app.name} isApp />
        <p>
          This is the very beginning of your direct message history with <b>@{app.name}</b>. {app.description}.
        </p>
      </MessageList>
      {app.messagesTab === 'open' ? (
        <Composer key={me} channel={channel} label={`Message ${app.name}`} />
      ) : (
        <p class="no-composer">Sending messages to this app has been turned off.</p>
      )}
    </>
  );
}

function AboutTab() {
  const { snapshot } = usePage();
  const { app } = snapshot;
  return (
    <div class="home">
      <h2>{app.name}</h2>
      <p>{app.description}</p>
      <h3>Commands</h3>
      <dl>
        {app.commands.map(({ command, description, usageHint }) => (
          <div key={command}>
            <dt>
              <code>
                {command} {usageHint}
              </code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
