import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../support/site.ts';
import { KEY, type Session } from './terminal.ts';

export const POLICY = `# Ours, and reviewed.
access:
    balance: [S0TEAM]   # everybody
    buy:
        - S0BUYERS      # the shop
    renew: S0BUYERS
    approve: [S0LEADS]
approvals: { channel: C0APPROVALS, free_up_to_dollars: 20, two_people_above: 100 }
contact: Ann # at her desk
plans:
    - { product_id: lt-monthly, name: 'Static, monthly', type: long-term, network_type: residential, term: 1 month }
`;

/** What an operator has written by hand, with comments and settings of other programs. */
export function settle(site: Site, policy = POLICY): void {
  const { slack, vendor } = site;
  writeFileSync(
    join(site.folder, '.env'),
    `# by hand\nexport SLACK_BOT_TOKEN='${slack.tokens.bot}'\nSLACK_APP_TOKEN=${slack.tokens.app} # of March\n# SLACK_SIGNING_SECRET=\n\n` +
      `PROXY_API_BASE_URL=${vendor.baseUrl}\r\nPROXY_API_TOKEN=${vendor.token}\nLOG_LEVEL=info\nTHEIRS="a # b"`,
    { mode: 0o600 },
  );
  writeFileSync(join(site.folder, 'policy.yml'), policy);
  chmodSync(join(site.folder, 'policy.yml'), 0o640);
}

export const SECTIONS = { slack: 0, vendor: 1, groups: 2, approvals: 3, plans: 4, limits: 5 } as const;

/** Sections of the menu, by their places. */
export async function choose(session: Session, ...places: readonly number[]): Promise<void> {
  const keys = Object.values(SECTIONS).flatMap((place) => [...(places.includes(place) ? [KEY.space] : []), KEY.down]);
  await session.answer('What do you want to change?', ...keys, KEY.enter);
}
