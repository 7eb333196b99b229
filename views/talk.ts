import type { types } from '@slack/bolt';
import type { BatchRecord } from '../src/purchasing/model/batch.ts';
import { type Question, questionsOf } from '../src/purchasing/model/entries.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { askedOf } from './asked.ts';
import { actions, button, type DrawnMessage, fields, foreign, modal, paragraph, section } from './blocks.ts';
import { reasonBlock } from './facts.ts';
import { groups, person, quoted, waited, when } from './format.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { LONGEST_REASON, textInput } from './inputs.ts';
import { type Decoded, decodeProse, type Values } from './state.ts';
import { literal, plainLines } from './text.ts';

// What requester and approvers say to each other while a request waits: under its card, by direct message, and in modals.

type Discussed = PurchaseRecord | BatchRecord;

/** Those before stand in the thread, and there each in full. */
const QUESTIONS_SHOWN = 2;

/** Beside 25 rows. */
const LONGEST_BESIDE_ROWS = 250;

/**
 * On the card and on the requester's message: the last questions, with their answers. Once it is sent, the evidence takes their place:
 * a message holds no more.
 */
export function talkLines(about: Discussed): readonly string[] {
  const { sent, talk } = askedOf(about);
  const longest = 'rows' in about ? LONGEST_BESIDE_ROWS : LONGEST_REASON;
  if (sent) return [];
  return questionsOf(talk)
    .slice(-QUESTIONS_SHOWN)
    .flatMap(({ by, at, text, answer }) => [
      `*${person(by)} asked*, ${when(at)}: ${quoted(text, longest)}`,
      answer
        ? `*${person(answer.by)} answered*, ${when(answer.at)}: ${quoted(answer.text, longest)}`
        : 'No answer yet.',
    ]);
}

/** That the requester has asked for a decision; null where they have not. */
export function nudgeLine(about: Discussed): string | null {
  const last = askedOf(about).talk.findLast(({ detail }) => detail.kind === 'nudge');
  return last ? `You nudged the approvers, ${when(last.at)}.` : null;
}

/** Under the card, with a mention of those who approve, or of others besides. */
export function undecidedMessage(
  about: Discussed,
  { mention, now, twoPeople }: Surroundings,
  kind: 'reminder' | 'escalation',
): DrawnMessage {
  const { short, requester, createdAt, expiresAt, yesLines } = askedOf(about, twoPeople);
  const how = `for ${waited(now - createdAt)}`;
  const what = kind === 'reminder' ? `Still undecided ${how}` : `Nobody has decided ${how}`;
  return {
    text: `${what}: ${short}`,
    blocks: paragraph([
      groups(mention) || null,
      `*${what}*: ${short}, for ${person(requester)}. Open until ${when(expiresAt)}.`,
      ...yesLines,
      kind === 'escalation' ? 'Whoever may approve decides on the card above.' : null,
    ]),
  };
}

export function nudgeMessage(about: Discussed, by: string | null): DrawnMessage {
  const { short, requester, expiresAt } = askedOf(about);
  const text = `${person(by ?? requester)} asks for a decision: ${short}`;
  return { text, blocks: [section(`${text}. Open until ${when(expiresAt)}.`)] };
}

export function questionInThread(about: Discussed, id: string | null): DrawnMessage {
  const { by, text } = questionOf(about, id);
  const who = `${person(by)} asks ${person(askedOf(about).requester)}`;
  return { text: who, blocks: [section(`${who}:`), foreign(plainLines(text, LONGEST_FOREIGN))] };
}

/** @param id of the question that is answered */
export function answerInThread(about: Discussed, id: string | null): DrawnMessage {
  const { by, answer } = questionOf(about, id);
  const who = `${person(answer?.by ?? askedOf(about).requester)} answers ${person(by)}`;
  return { text: who, blocks: [section(`${who}:`), foreign(plainLines(answer?.text ?? '', LONGEST_FOREIGN))] };
}

/** To whoever has asked, where nothing can be said under the card. @param id of the question that is answered */
export function answerMessage(about: Discussed, id: string | null): DrawnMessage {
  const { short, requester, smallPrint } = askedOf(about);
  const { text, answer } = questionOf(about, id);
  const head = `${person(answer?.by ?? requester)} answers your question (${short})`;
  return {
    text: head,
    blocks: [
      section(`*${head}:*`),
      foreign(plainLines(answer?.text ?? '', LONGEST_FOREIGN)),
      section('*You asked:*'),
      foreign(plainLines(text, LONGEST_FOREIGN)),
      smallPrint,
    ],
  };
}

/** To the requester, who answers from there as long as nobody has decided. */
export function questionMessage(about: Discussed, id: string | null): DrawnMessage {
  const { short, waits, smallPrint } = askedOf(about);
  const question = questionOf(about, id);
  const { by, text, answer } = question;
  const open = answer === null && waits;
  const head = `${person(by)} asks about your request (${short})`;
  return {
    text: head,
    blocks: [
      section(`*${head}:*`),
      foreign(plainLines(text, LONGEST_FOREIGN)),
      ...(answer ? [section('*Your answer:*'), foreign(plainLines(answer.text, LONGEST_FOREIGN))] : []),
      ...(answer === null && !open ? [section('It was decided before there was an answer.')] : []),
      smallPrint,
      ...actions(open ? [button('Answer', ACTION.answer, question.id, 'primary')] : []),
    ],
  };
}

/** As many characters as may be typed, and room for what is escaped. */
const LONGEST_FOREIGN = 2_800;

export function askView(draftId: string, about: Discussed): types.ModalView {
  const { facts, reason, smallPrint } = askedOf(about);
  return modal({
    callback: CALLBACK.ask,
    title: 'Ask a question',
    draftId,
    submit: 'Ask',
    close: 'Cancel',
    blocks: [
      fields(facts),
      reasonBlock(reason),
      ...paragraph(talkLines(about)),
      textInput({
        block: BLOCK.question,
        action: ACTION.question,
        label: 'Question',
        placeholder: 'Asked by direct message and under the card; the answer shows on the card',
        multiline: true,
        longest: LONGEST_REASON,
      }),
      smallPrint,
    ],
  });
}

export function answerQuestionView(draftId: string, about: Discussed, id: string): types.ModalView {
  const { ownFacts, smallPrint } = askedOf(about);
  const { by, text } = questionOf(about, id);
  return modal({
    callback: CALLBACK.answer,
    title: 'Answer',
    draftId,
    submit: 'Answer',
    close: 'Cancel',
    blocks: [
      section(`*${person(by)} asks:*`),
      foreign(plainLines(text, LONGEST_FOREIGN)),
      fields(ownFacts),
      textInput({
        block: BLOCK.answer,
        action: ACTION.answerText,
        label: 'Your answer',
        placeholder: 'Shown on the card and in its thread',
        multiline: true,
        longest: LONGEST_REASON,
      }),
      smallPrint,
    ],
  });
}

export function decodeQuestion(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.question, ACTION.question, 'Say what you want to know');
}

export function decodeAnswer(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.answer, ACTION.answerText, 'Say something');
}

function questionOf(about: Discussed, id: string | null): Question {
  const question = questionsOf(askedOf(about).talk).find((one) => one.id === id);
  if (!question) throw new Error(`there is no question ${literal(id ?? '', 60)}`);
  return question;
}
