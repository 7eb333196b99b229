import { useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { Tabs } from '../tabs.tsx';
import { BotPanel } from './bot-panel.tsx';
import { Inspector } from './inspector.tsx';
import { VendorPanel } from './vendor-panel.tsx';

type Tool = 'vendor' | 'inspector' | 'bot';

/** What is beside Slack: the vendor, every payload, and the bot's process. */
export function Tools() {
  const { snapshot } = usePage();
  const [at, setAt] = useState<Tool>('vendor');
  return (
    <aside class="tools" aria-label="Sandbox tools">
      <Tabs
        label="Sandbox tools"
        tabs={[
          { id: 'vendor', label: 'Vendor' },
          { id: 'inspector', label: 'Inspector', badge: snapshot.violations.length },
          { id: 'bot', label: 'Bot' },
        ]}
        at={at}
        go={setAt}
      >
        {at === 'vendor' && <VendorPanel />}
        {at === 'inspector' && <Inspector />}
        {at === 'bot' && <BotPanel />}
      </Tabs>
    </aside>
  );
}
