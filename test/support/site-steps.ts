import type { FaultRule, Message } from '../../sandbox/slack/index.ts';
import type { LedgerLine } from './books.ts';
import { BUYER, LEAD, type Site } from './site.ts';

/** Asks for what is typed after `/proxy buy`, up to the last submit, which is left to the caller. */
export async function askFor(site: Site, typed: string, as = BUYER) {
  const person = site.slack.as(as);
  await person.command('/proxy', `buy ${typed}`);
  await person.waitFor((screen) => screen.modal?.submit);
  await person.type('Reason', 'scraping the catalogue');
  await person.submit('Review');
  // A bot that is late says so first.
  await person.waitFor((screen) => screen.modal?.submit);
  return person;
}

/** Files a request that needs approval, without waiting for its card. */
export async function fileQuietly(site: Site, typed: string, as = BUYER): Promise<string> {
  const person = await askFor(site, typed, as);
  const before = new Set((await site.ledger()).map(({ id }) => id));
  await person.submit('Ask for approval');
  const isNew = ({ id, requester }: LedgerLine) => requester === as && !before.has(id);
  const lines = await site
    .untilLedger((all) => all.some(isNew))
    .catch((cause: unknown) => {
      throw new Error(`nothing was filed\n${person.screen.text()}`, { cause });
    });
  await person.close({ all: true });
  return lines.find(isNew)?.id ?? '';
}

/** Files a request that needs approval, and waits for its card. @returns the purchase's id. */
export async function file(site: Site, typed: string, as = BUYER): Promise<string> {
  const id = await fileQuietly(site, typed, as);
  await site.slack.as(LEAD).waitFor((screen) => screen.channels['approvals']?.some(isOf(site, id)));
  return id;
}

/** An approver presses the card's button: its modal is open then. */
export async function openDecision(site: Site, id: string, button: 'Approve' | 'Reject', as = LEAD) {
  const person = site.slack.as(as);
  await person.pressOn(cardOf(site, id), button);
  await person.waitFor((screen) => screen.modal?.submit);
  if (button === 'Reject') await person.type('Reason', 'not now');
  return person;
}

export async function approve(site: Site, id: string, as = LEAD): Promise<void> {
  const person = await openDecision(site, id, 'Approve', as);
  await person.submit('Approve');
}

export function cardOf(site: Site, id: string): Message {
  const cards = cardsOf(site, id);
  const [card] = cards;
  if (!card || cards.length > 1) throw new Error(`${cards.length} cards of ${id}`);
  return card;
}

/** Messages in the approvals channel about a purchase: the card, and where the outcome is unknown one more. */
export function cardsOf(site: Site, id: string): readonly Message[] {
  return (site.slack.as(LEAD).screen.channels['approvals'] ?? []).filter(isOf(site, id));
}

/** Direct messages to the requester about a purchase: the status, and where there is news one more. */
export function directsOf(site: Site, id: string, as = BUYER): readonly Message[] {
  return site.slack.as(as).screen.dm.filter(isOf(site, id));
}

export function textOf(site: Site, message: Message): string {
  return site.slack.as(LEAD).read(message);
}

/** Waits until the requester has exactly these direct messages about the purchase, and the channel exactly these cards. */
export async function told(
  site: Site,
  id: string,
  expected: { directs: readonly RegExp[]; cards: readonly RegExp[] },
  as = BUYER,
) {
  const match = (messages: readonly Message[], patterns: readonly RegExp[]) =>
    messages.length === patterns.length &&
    patterns.every((pattern, index) => pattern.test(textOf(site, messages[index] as Message)));
  await site.slack
    .as(as)
    .waitFor(() => match(directsOf(site, id, as), expected.directs) && match(cardsOf(site, id), expected.cards));
}

export async function lineOf(site: Site, id: string): Promise<LedgerLine> {
  const line = (await site.ledger()).find((candidate) => candidate.id === id);
  if (!line) throw new Error(`no ${id} in the ledger`);
  return line;
}

function isOf(site: Site, id: string): (message: Message) => boolean {
  return (message) => textOf(site, message).includes(id);
}

/** Waits until a fault of Slack's has been played. */
export async function played({ slack }: Site, fault: FaultRule, times = 1): Promise<void> {
  if (fault.hits >= times) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  // The call is announced just before its fault is taken.
  const off = slack.on(() => setImmediate(() => fault.hits >= times && resolve()));
  await promise.finally(off);
}

/** Waits until so many connections take what people do. */
export async function connections({ slack }: Site, count: number): Promise<void> {
  if (slack.sockets.count() === count) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = slack.on(() => slack.sockets.count() === count && resolve());
  await promise.finally(off);
}
