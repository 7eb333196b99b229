import type { SlackOptions } from '../slack/index.ts';

/** A small company: buyers, approvers, somebody who is both, and those who may do less. */
export const PEOPLE = [
  { id: 'U0ADA', name: 'ada', realName: 'Ada Brandt', role: 'buyer' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben Okafor', role: 'buyer' },
  { id: 'U0CLARA', name: 'clara', realName: 'Clara Nilsson', role: 'approver' },
  { id: 'U0DAVID', name: 'david', realName: 'David Cohen', role: 'approver' },
  { id: 'U0HANA', name: 'hana', realName: 'Hana Sato', role: 'buyer and approver' },
  { id: 'U0ERIN', name: 'erin', realName: 'Erin Walsh', role: 'balance only' },
  { id: 'U0FRANK', name: 'frank', realName: 'Frank Moreau', role: 'in no group' },
  { id: 'U0GINA', name: 'gina', realName: 'Gina Rossi', role: 'guest', isRestricted: true },
] as const;

const ids = (...names: (typeof PEOPLE)[number]['name'][]) => names.map((name) => `U0${name.toUpperCase()}`);

export const WORLD = {
  team: { id: 'T0DEMO', name: 'Acme', domain: 'acme-sandbox' },
  people: PEOPLE.map(({ role: _role, ...person }) => ({ ...person })),
  groups: [
    // The guest is in it on purpose: being in a group is not enough.
    {
      id: 'S0TEAM',
      handle: 'data-team',
      name: 'Data team',
      members: ids('ada', 'ben', 'clara', 'david', 'hana', 'erin', 'gina'),
    },
    { id: 'S0BUYERS', handle: 'proxy-buyers', name: 'Proxy buyers', members: ids('ada', 'ben', 'hana') },
    { id: 'S0LEADS', handle: 'proxy-leads', name: 'Proxy leads', members: ids('clara', 'david', 'hana') },
  ],
  channels: [
    { id: 'C0GENERAL', name: 'general', members: PEOPLE.map(({ id }) => id) },
    { id: 'C0APPROVALS', name: 'approvals', members: ids('ada', 'ben', 'clara', 'david', 'hana') },
  ],
} satisfies SlackOptions;

/** The same shape as policy.example.yml; small orders need no approval, so that both ways are seen. */
export const POLICY = `# The sandbox's own policy: who may do what. See policy.example.yml for every setting.
access:
  balance: [S0TEAM]
  buy:     [S0BUYERS]
  renew:   [S0BUYERS]
  approve: [S0LEADS]
approvals:
  channel: C0APPROVALS
  free_up_to: 5
  two_people_above: 200
  renewals: true
  expire_after: 24h
  send_within: 15m
plans:
  - product_id: lt-monthly
    name: Static residential, monthly
    type: long-term
    network_type: residential
    term: 1 month
  - product_id: lt-quarterly
    name: Static residential, quarterly
    type: long-term
    network_type: residential
    term: 3 months
  - product_id: dc-monthly
    name: Datacenter, monthly
    type: long-term
    network_type: datacenter
    term: 1 month
limits:
  ips_per_order: 500
  ips_per_person_per_day: 1000
reports:
  monthly: true
`;
