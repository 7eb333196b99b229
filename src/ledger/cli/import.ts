import { readFileSync } from 'node:fs';
import { lineProblemWords, type Pen } from '../../input/line-words.ts';
import { readOrderList } from '../../input/order-list.ts';
import { plural } from '../../plural.ts';
import type { FoundOwner, ImportReview, ImportRow, ListedOwner } from '../../purchasing/model/import.ts';
import type { OrderChangeFacts } from '../../purchasing/model/order-change.ts';
import type { Plan } from '../../purchasing/model/policy.ts';
import { importEntries, ordersNamed, reviewImport } from '../../purchasing/rules/importing.ts';
import { orderFactsOf } from '../order-facts.ts';
import type { DatabaseConfig } from '../place.ts';
import { changing, type Say } from './changing.ts';
import { look } from './look.ts';
import { theOperator } from './operator.ts';
import { basketText, literal, time } from './output.ts';

export interface ImportDeps {
  readonly config: DatabaseConfig;
  readonly readPlans: () => Promise<readonly Plan[]>;
  readonly readStdin: () => Promise<Uint8Array>;
  readonly stderr: Say;
}

/**
 * Writes down orders that were bought elsewhere, in the operator's name: all that a list names, or none.
 * @returns what was done, or with `dryRun` what would be.
 * @throws with every line that is wrong.
 */
export async function importOrders(
  { file, dryRun }: { readonly file: string; readonly dryRun: boolean },
  { config, readPlans, readStdin, stderr }: ImportDeps,
): Promise<string> {
  const { lines, problems } = readOrderList(decode(file === '-' ? await readStdin() : read(file)));
  const plans = await readPlans();
  const ids = ordersNamed(lines);
  const review = (facts: Pick<OrderChangeFacts, 'now' | 'orders'>) =>
    reviewImport(lines, problems, { facts, plans, ownerOf });
  const now = await look(config, async ({ sql }) =>
    review({ now: await sql.now(), orders: await orderFactsOf(sql, ids) }),
  );
  refuseWrong(now);
  if (dryRun) return `${now.add.map(rowText).join('')}${done(now, 'would be added')}; nothing was written\n`;
  const written = await changing(config, stderr, ({ orders }) =>
    orders.change(ids, (facts) => {
      const result = review(facts);
      return result.problems.length > 0 ? { result } : { result, entries: importEntries(result.add, theOperator()) };
    }),
  );
  refuseWrong(written);
  return `${done(written, 'added')}\n`;
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the list cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Far above what {@link readOrderList} takes: another file was meant. */
const MOST_BYTES = 20_000_000;

/** Spreadsheets save as UTF-8, or as UTF-16 with a mark at its beginning. Whatever is neither would be read with wrong letters. */
function decode(bytes: Uint8Array): string {
  if (bytes.length > MOST_BYTES)
    throw new Error(`the list is larger than ${MOST_BYTES / 1_000_000} MB: is it the right file?`);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error('the list is not UTF-8: save it as “CSV UTF-8”', { cause: error });
  }
}

function ownerOf(owner: ListedOwner): FoundOwner {
  return 'user' in owner ? { found: 'user', user: owner.user } : { found: 'no_slack' };
}

const PEN: Pen = { foreign: literal, person: literal, time };

function refuseWrong({ problems }: ImportReview): void {
  if (problems.length === 0) return;
  const wrong = new Set(problems.map(({ line }) => line)).size;
  const said = problems.map((problem) => `\n${lineProblemWords(problem, PEN)}`);
  throw new Error(
    `nothing was added: ${plural(wrong, 'line')} of the list ${wrong === 1 ? 'is' : 'are'} wrong${said.join('')}`,
  );
}

function rowText({ orderId, order }: ImportRow): string {
  const { plan, basket, boughtAt, owner, note } = order;
  const bought = boughtAt === null ? '-' : time(boughtAt).slice(0, 10);
  return `${[orderId, basketText(basket), plan.productId, bought, owner ?? '-', note ?? '-'].map(literal).join('  ')}\n`;
}

function done({ add, there }: ImportReview, how: string): string {
  return `${plural(add.length, 'order')} ${how}, ${there} already there`;
}
