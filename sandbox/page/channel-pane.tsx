import type { Channel } from '../slack/types.ts';
import { Composer } from './composer.tsx';
import type { Entry } from './conversation.ts';
import { FirstSteps } from './first-steps.tsx';
import { Icon } from './icons.tsx';
import { MessageList } from './message-list.tsx';
import { usePage } from './page-context.ts';

export function ChannelPane({
  channel,
  entries,
  back,
}: {
  channel: Channel;
  entries: readonly Entry[];
  back: () => void;
}) {
  const { me } = usePage();
  return (
    <section class="pane" aria-label={`Channel ${channel.name}`}>
      <header class="pane-head">
        <button type="button" class="icon-button back" aria-label="Back to the list" onClick={back}>
          <Icon name="back" size={20} />
        </button>
        <h1>
          <span aria-hidden="true">{channel.isPrivate ? <Icon name="lock" /> : '#'}</span> {channel.name}
        </h1>
        <span class="members">{channel.members.length} members</span>
      </header>
      <MessageList key={`${me} ${channel.id}`} label={`Messages in ${channel.name}`} entries={entries}>
        <h2># {channel.name}</h2>
        <p>This is the very beginning of this channel.</p>
        {channel.name === 'general' && <FirstSteps />}
      </MessageList>
      <Composer key={`composer ${me} ${channel.id}`} channel={channel.id} label={`Message #${channel.name}`} />
    </section>
  );
}
