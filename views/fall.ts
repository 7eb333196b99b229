import type { types } from '@slack/bolt';
import type { ToldMovement } from '../src/purchasing/model/alerts.ts';
import type { Freeze } from '../src/purchasing/model/freeze.ts';
import { difference, formatDollars } from '../src/purchasing/model/money.ts';
import type { Notice } from '../src/purchasing/model/outbox.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import { amountOf } from '../src/purchasing/rules/alerts.ts';
import { actions, button, type DrawnMessage, modal, paragraph, section } from './blocks.ts';
import { freezeLine, groups, person, quoted, when } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { LONGEST_REASON, textInput } from './inputs.ts';
import { type Decoded, decodeProse, type Values } from './state.ts';

/** Money that left, and that nothing explains: until somebody says that they know, with what to do about it. */
export function fallMessage(
  notice: Pick<Notice, 'text'>,
  { change, freeze, mention }: Pick<Surroundings, 'change' | 'freeze' | 'mention'>,
): DrawnMessage {
  const told = known(notice, change);
  const { movement } = told;
  const { head, why } = fallLines(told);
  return {
    text: `${head}. ${why}`,
    blocks: [
      ...paragraph([groups(mention) || null, `*${head}*: ${why}`]),
      ...paragraph([
        `The balance was ${formatDollars(movement.before)} before, and ${formatDollars(movement.after)} after: as read at these two times.`,
        movement.known
          ? `${person(movement.known.by)} knows about it, said ${when(movement.known.at)}: ${quoted(movement.known.note, LONGEST_REASON)}`
          : null,
      ]),
      ...(movement.known ? [] : paragraph([freezeLine(freeze)])),
      ...actions(movement.known ? [] : fallButtons(told, freeze)),
    ],
  };
}

function fallLines(told: ToldMovement): { readonly head: string; readonly why: string } {
  const { movement, sentInVain } = told;
  const sent = sentInVain ? 'nothing that Proxy Desk sent took it' : 'Proxy Desk sent nothing';
  const left = `${formatDollars(amountOf(movement))} left the account between ${when(movement.from)} and ${when(movement.to)}`;
  return {
    head: `${left}, and ${sent}`,
    why: 'somebody used the console, or the token is known to somebody else.',
  };
}

function fallButtons({ movement }: ToldMovement, freeze: Freeze | null): types.Button[] {
  const id = String(movement.seq);
  const know = button('I know about it', ACTION.knowFall, id);
  return freeze ? [know] : [know, button('Freeze spending', ACTION.freezeForFall, id, 'danger')];
}

export function topUpMessage(notice: Pick<Notice, 'text'>, { change }: Pick<Surroundings, 'change'>): DrawnMessage {
  const { movement } = known(notice, change);
  const { before, after, from, to, purchases } = movement;
  const rise = formatDollars(difference(after, before));
  const times = `between ${when(from)} and ${when(to)}`;
  // What was sent meanwhile has taken some of it, so that the rise is not what came in.
  const line =
    purchases.length === 0
      ? `${rise} came into the account ${times}: the balance is ${formatDollars(after)}.`
      : `The balance rose by ${rise} ${times}, while Proxy Desk sent something too, so more may have come in: the balance is ${formatDollars(after)}.`;
  return { text: line, blocks: [section(line)] };
}

function known({ text }: Pick<Notice, 'text'>, change: ToldMovement | null): ToldMovement {
  if (!change) throw new Error(`no change of the balance ${text}`);
  return change;
}

export function knowFallView(draftId: string, told: ToldMovement): types.ModalView {
  return modal({
    callback: CALLBACK.knowFall,
    title: 'I know about it',
    draftId,
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      section(`${fallLines(told).head}.`),
      textInput({
        block: BLOCK.note,
        action: ACTION.note,
        label: 'Note',
        placeholder: 'Who spent it, and what for? It stands under your name.',
        multiline: true,
        longest: LONGEST_REASON,
      }),
    ],
  });
}

export function decodeKnowFall(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.note, ACTION.note, 'Say where the money went');
}
