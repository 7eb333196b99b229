import type { Purchase, State } from '../../src/purchasing/model/purchase.ts';
import { shownAs } from './replica.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

const READINGS_OF_LAST_TRY = `SELECT detail FROM entries WHERE purchase_id = ? AND kind = 'reading'
  AND seq > (SELECT MAX(seq) FROM entries WHERE purchase_id = ? AND to_state = 'sending')`;

const TOLD: readonly State[] = ['completed', 'declined', 'unknown', 'rejected', 'expired'];

/** When everything has come to rest: do the books of the vendor, the ledger and what people were told agree? */
export function closeBooks(world: World): void {
  world.known.look();
  for (const purchase of world.known.purchases.values()) {
    settledMoney(world, purchase);
    tookReadings(world, purchase);
  }
  told(world);
  keptAnswers(world);
}

function settledMoney({ books, known }: World, purchase: Purchase): void {
  const posts = books.postsOf(purchase.id);
  const takes = books.takesMoneyFor(purchase.id);
  const what = `${purchase.id} is ${purchase.state} (${purchase.declinedHow}), POSTs ${posts.length}, money taken: ${takes}`;
  switch (purchase.state) {
    case 'completed':
      if (!takes) throw new Violation('money', what);
      return;
    case 'declined':
      if (takes && !(posts.every(({ said, answered }) => said === 'no' && answered) && !hidden(known, purchase)))
        throw new Violation('money', what);
      return;
    case 'rejected':
    case 'withdrawn':
    case 'expired':
      if (posts.length > 0) throw new Violation('money', what);
      return;
    default:
      throw new Violation('not_back', what);
  }
}

/** The vendor said no and took the money: that stays hidden only where no reading could show it. */
function hidden(known: World['known'], purchase: Purchase): boolean {
  const readings = known.rows(READINGS_OF_LAST_TRY, purchase.id, purchase.id);
  if (purchase.declinedHow === 'settled') return false;
  const before = Number(purchase.attempt?.balanceBefore);
  return readings.some(({ detail }) => {
    const { balance, alone } = JSON.parse(String(detail)) as { balance: string | null; alone: boolean };
    return alone && balance !== null && Number(balance) < before;
  });
}

function tookReadings({ known }: World, { id, attempt, state }: Purchase): void {
  if (known.rows('SELECT 1 FROM readings').length > 0) throw new Violation('readings_missing', 'some are still due');
  if (attempt === null) return;
  const taken = known.rows(READINGS_OF_LAST_TRY, id, id).length;
  const all = state === 'completed' || state === 'declined';
  if (taken < 1 || (all && taken < 3 && known.lastTry(id)?.id === attempt.id && wasLast(known, id)))
    throw new Violation('readings_missing', `${id} has ${taken}`);
}

/** It ended as an outcome of its last attempt, not as a withdrawal or expiry after one that never left. */
function wasLast(known: World['known'], id: string): boolean {
  const moves = known.rows(
    'SELECT from_state FROM entries WHERE purchase_id = ? AND to_state IS NOT NULL ORDER BY seq DESC LIMIT 1',
    id,
  );
  return moves[0]?.['from_state'] !== 'approved';
}

/** Of one purchase: a lost answer makes a second message, a lost lease another; more is a loop. */
const SAME_AT_MOST = 6;

function told({ known, channels }: World): void {
  const same = Map.groupBy(channels.posted, ({ channel, texts: [first = ''] }) => `${channel} ${first}`);
  for (const [what, messages] of same)
    if (messages.length > SAME_AT_MOST && !what.endsWith('/'))
      throw new Violation('told_again', `${what}, ${messages.length} times`);
  const owed = known.rows('SELECT key FROM notices WHERE pending = 1 OR (done = 0 AND ts IS NULL)');
  if (owed.length > 0) throw new Violation('untold', JSON.stringify(owed));
  for (const row of known.rows('SELECT * FROM notices WHERE ts IS NOT NULL AND purchase_id IS NOT NULL AND done = 0')) {
    const purchase = known.purchases.get(String(row['purchase_id']));
    const message = channels.at(String(row['channel']), String(row['ts']));
    if (!purchase || !message) throw new Violation('stale_message', `${String(row['key'])} is nowhere`);
    const state = `${purchase.id} ${purchase.state} v${purchase.version}`;
    if (row['kind'] === 'alert' || message.text.endsWith(state)) continue;
    // A process that stood still for longer than its lease wrote over the final state, and died before it could say so: nobody
    // else can know. The next change would mend it.
    if (!message.by.alive && message.texts.some((text) => text.endsWith(state))) continue;
    throw new Violation('stale_message', `${String(row['key'])} shows ${message.text}, not ${state}`);
  }
  for (const row of known.rows('SELECT * FROM notices WHERE ts IS NOT NULL AND batch_id IS NOT NULL AND done = 0')) {
    const rows = [...known.purchases.values()].filter(({ batch }) => batch?.id === row['batch_id']);
    const message = channels.at(String(row['channel']), String(row['ts']));
    const state = rows.map(shownAs).join(', ');
    if (row['kind'] === 'alert' || message?.text.endsWith(state)) continue;
    if (message && !message.by.alive && message.texts.some((text) => text.endsWith(state))) continue;
    throw new Violation('stale_message', `${String(row['key'])} shows ${message?.text}, not ${state}`);
  }
  for (const row of known.rows('SELECT DISTINCT purchase_id, to_state FROM entries WHERE to_state IS NOT NULL')) {
    const state = String(row['to_state']) as State;
    // Rows of a batch are told of by its messages.
    if (!TOLD.includes(state) || known.purchases.get(String(row['purchase_id']))?.batch) continue;
    const of = `outcome/${state}/${String(row['purchase_id'])} `;
    if (channels.posted.some(({ texts }) => texts.some((text) => text.startsWith(of)))) continue;
    // Neither the requester nor anybody who could have passed it on takes messages: the ledger shows why.
    const tried = known.rows(
      "SELECT failed FROM notices WHERE key LIKE ? AND audience <> 'approvers'",
      `${String(row['purchase_id'])}:outcome:${state}:%`,
    );
    if (tried.length < 2 || tried.some(({ failed }) => failed !== 'cannot_dm_bot')) throw new Violation('untold', of);
  }
}

/** An answer that a process had in its hands is in the ledger, unless the process died with it. */
function keptAnswers({ heard, known }: World): void {
  for (const { life, purchase, endedAt } of heard) {
    if (!life.alive) continue;
    const kept = known.rows("SELECT detail FROM entries WHERE purchase_id = ? AND kind = 'answer'", purchase);
    if (
      !kept.some(
        ({ detail }) => (JSON.parse(String(detail)) as { answer: { endedAt: number } }).answer.endedAt === endedAt,
      )
    )
      throw new Violation('lost_answer', purchase);
  }
}
