import { setTimeout as sleep } from 'node:timers/promises';
import type { Hands } from '../../../sandbox/slack/index.ts';
import type { LedgerLine } from '../../support/books.ts';
import { BUYER, BUYER2, LEAD, LEAD2, LEAD3, type Site } from '../../support/site.ts';
import { cardsOf } from '../../support/site-steps.ts';
import { ORDER_TO_RENEW, type Wanted } from './plan.ts';

/** As people do: when something did not work, they look, and try again, ever later: a 429 of Slack holds for a second. */
const TRIES = 8;
/** Whatever a person types is data, in a database, a table and a message alike. */
export const REASON = `'); DROP TABLE purchases; --";`;
export const PATIENCE = { timeout: 4_000 };
const LOOK_AGAIN_AFTER_MS = 100;

/** Which of the purchases of a round somebody asks for, and who decides it. */
export interface Errand extends Wanted {
  readonly buyer: string;
  readonly lead: string;
}

/** When a decision of this kind was first clicked, by purchase: before that no money may leave. */
export type Clicks = Map<string, number>;

export function errandsOf(wanted: readonly Wanted[]): readonly Errand[] {
  return wanted.map((each, index) => ({
    ...each,
    buyer: index === 0 ? BUYER : BUYER2,
    lead: index === 0 ? LEAD : LEAD2,
  }));
}

export function isOf({ kind, typed }: Wanted, line: LedgerLine): boolean {
  if (kind === 'renew') return line.kind === 'renew' && line.orderId === ORDER_TO_RENEW;
  const bought = line.basket.map(({ country, quantity }) => `${country} ${quantity}`).join(', ');
  return `buy ${bought}` === typed;
}

/** Up to the last submit, which is left to the caller. */
export async function prepare(site: Site, { buyer, kind, typed }: Errand) {
  const person = site.slack.as(buyer);
  if (person.screen.modal) await person.close({ all: true });
  await person.command('/proxy', typed);
  await person.waitFor((screen) => screen.modal?.submit, PATIENCE);
  if (kind === 'renew') await person.pick('Plan', /Static/);
  await person.type('Reason', REASON);
  await person.submit('Review');
  return person;
}

export async function fileSomehow(site: Site, errand: Errand): Promise<string> {
  const filed = async () => (await look(site)).find((line) => isOf(errand, line));
  await somehow(
    `to file "${errand.typed}"`,
    async () => (await filed()) !== undefined,
    async () => (await prepare(site, errand)).submit('Ask for approval'),
  );
  return (await filed())?.id ?? '';
}

/** Opens the modals; the decision is made when what is returned is called. */
export async function openDecisions(site: Site, errand: Pick<Errand, 'decision' | 'lead'>, id: string, clicks: Clicks) {
  const { decision, lead } = errand;
  const opened: (() => Promise<unknown>)[] = [];
  if (decision !== 'reject') opened.push(await open(site, id, 'Approve', lead, clicks));
  if (decision !== 'approve') opened.push(await open(site, id, 'Reject', LEAD3, clicks));
  return () => Promise.allSettled(opened.map((submit) => submit()));
}

export async function decideSomehow(
  site: Site,
  errand: Pick<Errand, 'decision' | 'lead'>,
  id: string,
  clicks: Clicks,
): Promise<void> {
  await somehow(
    `to decide ${id}`,
    () => isDecided(site, id),
    async () => {
      await site.slack.as(LEAD).waitFor(() => cardsOf(site, id).length > 0, PATIENCE);
      const decide = await openDecisions(site, errand, id, clicks);
      await decide();
    },
  );
}

async function isDecided(site: Site, id: string): Promise<boolean> {
  const line = (await look(site)).find((candidate) => candidate.id === id);
  return line !== undefined && line.state !== 'requested';
}

/** The ledger, as soon as it can be looked at: its disk or its database may be what is struck. */
export async function look(site: Site): Promise<readonly LedgerLine[]> {
  for (let tries = 0; ; tries += 1)
    try {
      return await site.ledger();
    } catch (error) {
      if (tries > TRIES * 4) throw error;
      await sleep(LOOK_AGAIN_AFTER_MS);
    }
}

async function open(site: Site, id: string, button: 'Approve' | 'Reject', as: string, clicks: Clicks) {
  const person = await openFromCard(site, id, button, as);
  if (button === 'Reject') await person.type('Reason', 'not now');
  return () => {
    if (button === 'Approve' && !clicks.has(id)) clicks.set(id, Date.now());
    return person.submit();
  };
}

/** @returns who has the modal of that button open. */
export async function openFromCard(
  site: Site,
  id: string,
  button: string,
  as: string,
  patience = PATIENCE,
): Promise<Hands> {
  const person = site.slack.as(as);
  if (person.screen.modal) await person.close({ all: true });
  // Where it was posted twice, any copy must lead to the one purchase.
  const card = () => cardsOf(site, id).find((message) => JSON.stringify(message.blocks).includes(`"${button}"`));
  // Whoever was killed at it keeps others from posting it for some seconds.
  await person.waitFor(() => card() !== undefined, patience).catch(() => undefined);
  const found = card();
  if (!found) throw new Error(`there is no card of ${id} with ${button}`);
  await person.pressOn(found, button);
  await person.waitFor((screen) => screen.modal?.submit, patience);
  return person;
}

/** As {@link TRIES} says. @param act what is done until it is @param done */
export async function somehow(what: string, done: () => Promise<boolean>, act: () => Promise<unknown>): Promise<void> {
  let why: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await done()) return;
    try {
      await act();
    } catch (error) {
      why = error;
    }
    await sleep(LOOK_AGAIN_AFTER_MS * tries);
  }
  if (!(await done())) throw new Error(`${what} could not be done`, { cause: why });
}
