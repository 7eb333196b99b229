import { DESK } from '../../src/purchasing/model/entries.ts';
import type { Freeze } from '../../src/purchasing/model/freeze.ts';
import { type Message, says } from '../blocks.ts';
import { groups, person, when } from '../format.ts';
import { literal } from '../text.ts';

/** To the approver who froze. */
export function freezeText({ reason }: Pick<Freeze, 'reason'>): Message {
  return says(
    `*Spending is frozen*: ${literal(reason, 1_500)}\nNothing is sent until \`/proxy unfreeze\`. What is being sent at this moment is finished.`,
  );
}

/** To the approver who unfroze. @param was the freeze that ended */
export function unfreezeText(was: Freeze): Message {
  return says(
    `*Spending is no longer frozen.* It was frozen by ${person(was.by)} since ${when(was.at)}. What is approved and not too old is sent now.`,
  );
}

interface Announcement {
  readonly text: string | null;
  readonly by: string | null;
  readonly mention: readonly string[];
}

export function frozenMessage({ text, by, mention }: Announcement): Message {
  const who = by === null || by === DESK ? 'Proxy Desk itself' : person(by);
  const what = `Spending was frozen by ${who}: ${literal(text ?? '', 1_500)}`;
  const next =
    by === DESK
      ? "Nothing is sent until an approver has looked at it and runs `/proxy unfreeze`. It is nobody's fault who asked for something."
      : 'Nothing is sent until an approver runs `/proxy unfreeze`.';
  return { text: what, blocks: says(lines(mention, `*${what}*`, next)).blocks };
}

export function unfrozenMessage({ by, mention }: Announcement): Message {
  const what = `Spending is no longer frozen${by === null ? '' : `, by ${person(by)}`}.`;
  return {
    text: what,
    blocks: says(lines(mention, `*${what}*`, 'What is approved and not too old is sent now.')).blocks,
  };
}

/** Something that those who run the bot must look at. */
export function alertMessage({ text, mention }: Announcement): Message {
  const what = literal(text ?? '', 2_000);
  return { text: what, blocks: says(lines(mention, `*Please look at this*: ${what}`)).blocks };
}

function lines(mention: readonly string[], ...sentences: readonly string[]): string {
  return [groups(mention), ...sentences].filter((line) => line !== '').join('\n');
}
