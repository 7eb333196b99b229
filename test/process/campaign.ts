import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../sandbox/slack/index.ts';
import type { Misbehaviour } from '../../sandbox/vendor/index.ts';
import { disagreements } from './books.ts';
import { BUYER, LEAD, openSite, type Site } from './site.ts';
import { askFor, cardsOf, directsOf, openDecision, textOf } from './steps.ts';

// A longer campaign than the tests have time for: `node test/process/campaign.ts [rounds] [seed]`.
// In each round a purchase is asked for and approved while vendor and Slack misbehave, and the process is killed at a moment
// that chance picks. After the restart it must come to rest in a state that the vendor's books bear out, and people must be told.

const [rounds = 40, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);

const VENDOR: readonly Misbehaviour[] = [
  { name: 'as_documented' },
  { name: 'as_documented' },
  { name: 'slow', ms: 150 },
  { name: 'refuse' },
  { name: 'time_out' },
  { name: 'reset_before_answer' },
  { name: 'reset_mid_answer' },
  { name: 'html' },
  { name: 'cut' },
  { name: 'no_order_id' },
  { name: 'empty' },
  { name: 'drip', everyMs: 3 },
  { name: 'status', status: 502 },
  { name: 'redirect' },
];

const SLACK: readonly (readonly [string, Fault] | undefined)[] = [
  undefined,
  undefined,
  ['chat.update', { kind: 'hang', when: 'before' }],
  ['chat.update', { kind: 'reset', when: 'after' }],
  ['chat.postMessage', { kind: 'reset', when: 'before' }],
  ['chat.postMessage', { kind: 'delay', ms: 200 }],
  ['conversations.open', { kind: 'status', status: 503 }],
];

/** From the click on: long enough for a whole purchase. */
const KILL_WITHIN_MS = 500;
const REST_WITHIN_MS = 30_000;
const ENV = { PROXY_API_TIMEOUT_MS: '400' };

const random = generator(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
console.info(`${rounds} rounds, seed ${seed}`);
const site = await openSite({ expected: /./, approvals: 'free_up_to: 0' });
site.slack.settings.allowLateAck = true;
let bot = await site.start(ENV);
const states = new Map<string, number>();
const wrong: string[] = [];
let repeated = 0;

for (let round = 1; round <= rounds; round += 1) {
  const vendorFault = pick(VENDOR);
  const slackFault = pick(SLACK);
  const killAfterMs = random() * KILL_WITHIN_MS;
  const name = `round ${round}: ${vendorFault.name}, ${slackFault?.join(' ') ?? 'Slack well'}, killed after ${killAfterMs.toFixed(0)} ms`;
  try {
    await play(round, vendorFault, slackFault, killAfterMs);
  } catch (error) {
    wrong.push(`${name}: ${error instanceof Error ? error.message.slice(0, 2_000) : String(error)}`);
    await bot.end('SIGKILL');
    bot = await site.start(ENV);
  }
  for (const complaint of disagreements(await site.ledger(), site.vendor)) wrong.push(`${name}: ${complaint}`);
  if (round % 10 === 0) console.info(`after ${round} rounds: ${wrong.length} broken`);
}
const figures = [...states].map(([state, count]) => `${state} ${count}`).join(', ');
console.info(
  `${figures}; POSTs ${site.vendor.posts}, orders ${site.vendor.orders.length}; messages posted again ${repeated}`,
);
await site.close().catch((error: unknown) => wrong.push(String(error)));
for (const what of wrong) console.error(what);
console.info(wrong.length === 0 ? 'every promise held' : `${wrong.length} broken`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function play(
  round: number,
  vendorFault: Misbehaviour,
  slackFault: (typeof SLACK)[number],
  killAfterMs: number,
): Promise<void> {
  const { slack, vendor } = site;
  const buyer = await askFor(site, `US ${(round % 400) + 1}, DE ${Math.floor(round / 400) + 1}`);
  const known = new Set((await site.ledger()).map(({ id }) => id));
  await buyer.submit('Ask for approval');
  await buyer.close({ all: true });
  const filed = (await site.ledger()).find(({ id }) => !known.has(id));
  if (!filed) throw new Error(`nothing was filed\n${buyer.screen.text()}`);
  await slack.as(LEAD).waitFor(() => cardsOf(site, filed.id).length > 0, { timeout: 20_000 });
  const lead = await openDecision(site, filed.id, 'Approve');

  vendor.next('create', vendorFault);
  if (slackFault) slack.faults.add(...slackFault, { times: 2 });
  const approving = lead.submit('Approve');
  await sleep(killAfterMs);
  await bot.end('SIGKILL');
  await approving;

  slack.faults.clear();
  vendor.behave();
  site.letTimePass();
  bot = await site.start(ENV);
  if (lead.screen.modal) await lead.close({ all: true });
  const line = (await site.ledger()).find(({ id }) => id === filed.id);
  // Killed before the decision: the card must still work.
  if (line?.state === 'requested') {
    const again = await openDecision(site, filed.id, 'Approve');
    await again.submit('Approve');
  }
  const state = await atRest(site, filed.id);
  states.set(state, (states.get(state) ?? 0) + 1);
  await toldOf(site, filed.id, state);
}

async function atRest(on: Site, id: string): Promise<string> {
  const lines = await on.untilLedger((all) =>
    all.some((line) => line.id === id && ['completed', 'declined', 'unknown'].includes(line.state)),
  );
  return lines.find((line) => line.id === id)?.state ?? 'gone';
}

/** The latest message to the requester and every card say the state that the ledger holds. */
async function toldOf(on: Site, id: string, state: string): Promise<void> {
  const word = new RegExp(state, 'i');
  const expected = { directs: 2, cards: state === 'unknown' ? 2 : 1 };
  await on.slack.as(BUYER).waitFor(
    () => {
      const directs = directsOf(on, id);
      const cards = cardsOf(on, id);
      const enough = directs.length >= expected.directs && cards.length >= expected.cards;
      return enough && [...cards, ...directs].every((message) => word.test(textOf(on, message)));
    },
    { timeout: REST_WITHIN_MS },
  );
  repeated += directsOf(on, id).length - expected.directs + cardsOf(on, id).length - expected.cards;
}

/** mulberry32: the same seed, the same campaign (the machine's own timing apart). */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
