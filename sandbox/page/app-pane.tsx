import { useEffect, useState } from 'preact/hooks';
import { Composer } from './composer.tsx';
import type { Entry } from './conversation.ts';
import { HomeTab } from './home-tab.tsx';
import { Avatar, Icon } from './icons.tsx';
import { MessageList } from './message-list.tsx';
import { usePage } from './page-context.ts';
import { act } from './server.ts';
import { Tabs } from './tabs.tsx';

type Tab = 'home' | 'messages' | 'about';

/** The app itself: the direct messages with it, and what its manifest says. */
export function AppPane({ entries, back }: { entries: readonly Entry[]; back: () => void }) {
  const { snapshot, me } = usePage();
  const [tab, setTab] = useState<Tab>('messages');
  const { app } = snapshot;
  // Slack tells the app of every opening.
  useEffect(() => {
    if (tab !== 'about') void act({ do: 'open_app', user: me, tab });
  }, [me, tab]);
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
          ...(snapshot.hasHomeTab ? [{ id: 'home', label: 'Home' } as const] : []),
          { id: 'messages', label: 'Messages' },
          { id: 'about', label: 'About' },
        ]}
        at={tab}
        go={setTab}
      >
        {tab === 'home' && <HomeTab />}
        {tab === 'messages' && <MessagesTab entries={entries} />}
        {tab === 'about' && <AboutTab />}
      </Tabs>
    </section>
  );
}

function MessagesTab({ entries }: { entries: readonly Entry[] }) {
  const { snapshot, me } = usePage();
  const { app } = snapshot;
  const channel = snapshot.directs[me] ?? '';
  return (
    <>
      <MessageList key={`${me} ${channel}`} label={`Direct messages with ${app.name}`} entries={entries}>
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
    <div class="about">
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
