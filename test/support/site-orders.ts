import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../../src/purchasing/model/policy.ts';
import { MONTHLY, plansYaml } from './plan.ts';
import { policyYaml } from './policy.ts';
import { BUYER, CHANNEL, type Site } from './site.ts';

const DAY_MS = 86_400_000;

/** Counted in days, so that an order can be written down that ends soon, whatever day it is. */
const THIRTY_DAYS: Plan = { ...MONTHLY, term: { amount: 30, unit: 'day' }, termText: '30 days' };

/** As other sites have it, on that plan. Whoever approves may renew as well, and so can try to approve their own. */
export const ORDERS_POLICY = policyYaml({
  access: 'access: { balance: [S0TEAM], buy: [S0BUYERS], renew: [S0BUYERS, S0LEADS], approve: [S0LEADS] }',
  approvals: `approvals: { channel: ${CHANNEL}, expire_after: 24h }`,
  plans: plansYaml(THIRTY_DAYS),
  limits: 'limits: { ips_per_order: 500, ips_per_person_per_day: 100000 }',
});

/** Writes down orders of this person's that end within two days, and which the vendor has. A bot has made the ledger before. */
export async function ordersThatEnd(site: Site, ids: readonly string[], owner = BUYER): Promise<void> {
  const boughtOn = new Date(Date.now() - 28 * DAY_MS).toISOString().slice(0, 10);
  const lines = ids.map((id) => `${id},${THIRTY_DAYS.productId},US 1,${boughtOn},${owner},`);
  const file = join(site.folder, 'orders.csv');
  writeFileSync(file, ['order_id,product_id,countries,bought_on,owner,note', ...lines, ''].join('\n'));
  await site.ledgerCommand('import', file);
  for (const id of ids) site.vendor.addOrder({ id });
}

/** Its owner marks it in its modal, or an approver. */
export async function markKept(site: Site, id: string, by = BUYER): Promise<void> {
  const person = site.slack.as(by);
  await person.command('/proxy', `orders ${id}`);
  await person.waitFor('[Keep]');
  await person.press('Keep');
  await person.waitFor('Kept: to be renewed before it ends');
  await person.close({ all: true });
}
