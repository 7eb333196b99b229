import { startSandbox } from './demo/start-sandbox.ts';
import { temporaryFolder } from './demo/temporary-folder.ts';
import type { Hands, LocalSlack, Message, Screen, ViewRecord } from './slack/index.ts';

const PLAN = 'Static residential, monthly';

/** Short, so that a vendor that never answers is given up soon. */
const VENDOR_TIMEOUT_MS = 1_000;

/**
 * The whole journey in the terminal, by people who see only what Slack shows them: the balance; a purchase with approval; a
 * refusal; an outcome unknown and settled; a renewal. The bot is the product itself, in a process of its own.
 */
export async function walk(write: (text: string) => void = (text) => process.stdout.write(text)): Promise<void> {
  using folder = temporaryFolder('walk');
  const { slack, vendor, close } = await startSandbox({ dataDir: folder.path, vendorTimeoutMs: VENDOR_TIMEOUT_MS });
  const tell = createTeller(slack, write);
  const [buyer, lead, outsider] = [slack.as('U0ADA'), slack.as('U0CLARA'), slack.as('U0FRANK')];
  const tellVendor = () =>
    tell.says(`POSTs that the vendor has received so far: ${vendor.posts}. The balance there: $${vendor.balance}.`);
  try {
    tell.chapter('The balance');
    await tell.types(buyer, 'balance');
    await tell.sees(buyer, 'Balance');

    tell.chapter('A purchase, from the form to the receipt');
    await ask(tell, buyer, 'buy US 10, DE 5', 'Price checks for the launch');
    await approve(tell, lead, 'buy 15 IPs');
    await tell.sees(buyer, 'Fetch the proxies');
    tellVendor();

    tell.chapter('A refusal: somebody who is in none of the groups');
    await tell.types(outsider, 'buy US 10');
    await tell.sees(outsider, 'not in a group');
    tellVendor();

    tell.chapter('The vendor takes the money and never answers');
    vendor.next('create', { name: 'time_out', charge: true });
    await ask(tell, buyer, 'buy FR 8', 'Load test in France');
    await approve(tell, lead, 'buy 8 IPs');
    await tell.sees(buyer, 'Outcome unknown');
    const card = await tell.sees(lead, (screen) => cardWith(lead, screen, '[It was placed]'));
    tell.does(lead, "finds the order in the vendor's console, and presses It was placed");
    await lead.pressOn(card, 'It was placed');
    await tell.sees(lead, topView);
    tell.does(lead, 'types a note and the order id, and presses Settle');
    await lead.type('Note', "It is in the vendor's console");
    await lead.type('Order id', vendor.orders.at(-1)?.id ?? '');
    await lead.submit('Settle');
    await tell.sees(buyer, 'Settled as placed');
    tellVendor();

    tell.chapter('A renewal of the first order');
    await ask(tell, buyer, `renew ${vendor.orders[0]?.id}`, 'The launch moved to next month');
    await approve(tell, lead, 'renew order');
    await tell.sees(buyer, 'Renewed: order');
    tellVendor();

    tell.chapter('What was bought');
    await tell.types(buyer, 'orders');
    await tell.sees(buyer, 'soonest end first');
  } finally {
    await close();
  }
}

/** The form, its review, and the request. */
async function ask(tell: Teller, buyer: Hands, typed: string, reason: string): Promise<void> {
  await tell.types(buyer, typed);
  await buyer.waitFor(topView);
  await buyer.pick('Plan', PLAN);
  await buyer.type('Reason', reason);
  tell.does(buyer, `chooses “${PLAN}”, types a reason, presses Review`);
  await buyer.submit('Review');
  await tell.sees(buyer, topView);
  tell.does(buyer, 'presses Ask for approval');
  await buyer.submit('Ask for approval');
  await tell.sees(buyer, topView);
  await buyer.close({ all: true });
}

async function approve(tell: Teller, lead: Hands, words: string): Promise<void> {
  const card = await tell.sees(lead, (screen) => {
    const found = cardWith(lead, screen, words);
    return found && lead.read(found).includes('[Approve]') ? found : undefined;
  });
  tell.does(lead, 'presses Approve on the card');
  await lead.pressOn(card, 'Approve');
  await tell.sees(lead, topView);
  tell.does(lead, 'confirms');
  await lead.submit('Approve');
}

function topView({ modal }: Screen) {
  return modal;
}

/** Tells a walk to the terminal: who does what, and what that person then reads on the screen. */
export interface Teller {
  chapter(title: string): void;
  does(person: Hands, what: string): void;
  /** Types after `/proxy`. */
  types(person: Hands, text: string): Promise<void>;
  /** Waits until it is on that person's screen, and prints it; `words` are those of what is told to that person alone. */
  sees<T extends Message | ViewRecord>(person: Hands, look: (screen: Screen) => T | undefined): Promise<T>;
  sees(person: Hands, words: string): Promise<Message>;
  says(text: string): void;
}

export function createTeller(slack: LocalSlack, write: (text: string) => void): Teller {
  const name = ({ user }: Hands) => slack.state.people[user]?.realName ?? user;
  const does = (person: Hands, what: string) => write(`\n> ${name(person)} ${what}\n`);
  return {
    chapter: (title) => write(`\n\n=== ${title} ===\n`),
    does,
    async types(person, text) {
      does(person, `types /proxy ${text}`);
      await person.command('/proxy', text);
    },
    async sees<T extends Message | ViewRecord>(person: Hands, what: string | ((screen: Screen) => T | undefined)) {
      const look = (screen: Screen) =>
        typeof what === 'function' ? what(screen) : withWords(person, toldTo(screen), what);
      const found = await person.waitFor<T | Message>(look);
      write(`  ${name(person)} sees:\n${indent(person.read(found))}\n`);
      return found as T & Message;
    },
    says: (text) => write(`\n  ${text}\n`),
  };
}

/** Direct messages and private answers: what stands in a channel is told to everybody there. */
function toldTo({ messages, dm, user }: Screen): readonly Message[] {
  return messages.filter((message) => message.ephemeralTo === user || dm.includes(message));
}

function cardWith(person: Hands, { channels }: Screen, words: string): Message | undefined {
  return withWords(person, channels['approvals'] ?? [], words);
}

/** The newest of them that has these words. */
function withWords(person: Hands, messages: readonly Message[], words: string): Message | undefined {
  return messages.findLast((message) => person.read(message).includes(words));
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    | ${line}`)
    .join('\n');
}
