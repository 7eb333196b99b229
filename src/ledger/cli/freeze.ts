import type { Freeze } from '../../purchasing/model/freeze.ts';
import { freezeNow, unfreezeNow } from '../../purchasing/rules/freezing.ts';
import { countKeptDue, type KeepingPolicy, keptDueText } from '../../purchasing/rules/keeping.ts';
import type { DatabaseConfig } from '../place.ts';
import { changing, type Say } from './changing.ts';
import { theOperator } from './operator.ts';
import { literal, time } from './output.ts';

/** As an approver freezes in Slack. Those who approve are told by the bot, at once or when it starts. */
export function freeze(config: DatabaseConfig, reason: string, say: Say): Promise<void> {
  return changing(config, say, async ({ ledger }) => {
    const by = theOperator();
    const was = await ledger.changeFreeze((facts) => ({
      ...freezeNow(facts, by, reason, crypto.randomUUID()),
      result: facts.freeze,
    }));
    await say(
      was === null
        ? 'Spending is frozen: nothing is sent until it is unfrozen. What is being sent at this moment is finished.\n'
        : `Spending is frozen already, ${described(was)}\nNothing has changed.\n`,
    );
  });
}

export function unfreeze(
  config: DatabaseConfig,
  keeping: () => Promise<KeepingPolicy | null>,
  say: Say,
): Promise<void> {
  return changing(config, say, async ({ ledger, endings }, seen) => {
    const by = theOperator();
    const was = await ledger.changeFreeze((facts) => {
      const { freeze: stands } = facts;
      // Opening the ledger freezes by itself where the database was restored or moved.
      if (stands !== null && stands.at !== seen?.at)
        throw new Error(`spending was frozen only now, ${described(stands)}\nLook at that first, and unfreeze again.`);
      return { ...unfreezeNow(facts, by, crypto.randomUUID()), result: stands };
    });
    if (was === null) return say('Spending is not frozen. Nothing has changed.\n');
    await say(
      `Spending is no longer frozen; it was, ${described(was)}\nWhat is approved and not too old is sent now.\n`,
    );
    const policy = await keeping();
    if (policy === null)
      return say('How many orders that are kept file their renewal now cannot be told: the policy cannot be read.\n');
    const now = await ledger.now();
    const due = await endings.kept(now, now + policy.reminders.renewKeptBeforeMs);
    const kept = keptDueText(was, countKeptDue(due, policy, now));
    if (kept) await say(`${kept.due}${kept.terms}\n`);
  });
}

function described({ by, reason, at }: Freeze): string {
  return `by ${literal(by)} since ${time(at)}: ${literal(reason)}`;
}
