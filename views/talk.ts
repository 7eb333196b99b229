import type { types } from '@slack/bolt';
import { type Question, questionsOf } from '../src/purchasing/model/entries.ts';
import type { Surroundings } from '../src/purchasing/model/surroundings.ts';
import type { PurchaseRecord } from '../src/purchasing/ports/ledger.ts';
import { actions, button, type DrawnMessage, fields, foreign, modal, paragraph, section } from './blocks.ts';
import { factsOf, ownFactsOf, reasonBlock, smallPrint } from './facts.ts';
import { groups, person, quoted, requestShort, waited, when } from './format.ts';
import { yesLines } from './history.ts';
import { ACTION, BLOCK, CALLBACK } from './ids.ts';
import { LONGEST_REASON, textInput } from './inputs.ts';
import { type Decoded, proseProblem, typedText, type Values } from './state.ts';
import { literal, plainLines } from './text.ts';

// What requester and approvers say to each other while a request waits: under its card, by direct message, and in modals.

/** Those before stand in the thread. */
const QUESTIONS_SHOWN = 2;

/**
 * On the card and on the requester's message: the last questions, with their answers. Once it is sent, the evidence takes their place:
 * a message holds no more.
 */
export function talkLines({ purchase, entries }: PurchaseRecord): readonly string[] {
  if (purchase.attempt !== null) return [];
  return questionsOf(entries)
    .slice(-QUESTIONS_SHOWN)
    .flatMap(({ by, at, text, answer }) => [
      `*${person(by)} asked*, ${when(at)}: ${quoted(text, LONGEST_REASON)}`,
      answer
        ? `*${person(answer.by)} answered*, ${when(answer.at)}: ${quoted(answer.text, LONGEST_REASON)}`
        : 'No answer yet.',
    ]);
}

/** That the requester has asked for a decision; null where they have not. */
export function nudgeLine({ entries }: PurchaseRecord): string | null {
  const last = entries.findLast(({ detail }) => detail.kind === 'nudge');
  return last ? `You nudged the approvers, ${when(last.at)}.` : null;
}

/** Under the card, with a mention of those who approve, or of others besides. */
export function undecidedMessage(
  record: PurchaseRecord,
  { mention, now, twoPeople }: Surroundings,
  kind: 'reminder' | 'escalation',
): DrawnMessage {
  const { purchase } = record;
  const how = `for ${waited(now - purchase.createdAt)}`;
  const what = kind === 'reminder' ? `Still undecided ${how}` : `Nobody has decided ${how}`;
  return {
    text: `${what}: ${requestShort(purchase)}`,
    blocks: paragraph([
      groups(mention) || null,
      `*${what}*: ${requestShort(purchase)}${purchase.batch === null ? '' : ' and what was asked for with it'}, for ${person(purchase.requester)}. Open until ${when(purchase.expiresAt)}.`,
      ...yesLines(record, twoPeople),
      kind === 'escalation' ? 'Whoever may approve decides on the card above.' : null,
    ]),
  };
}

export function nudgeMessage({ purchase }: PurchaseRecord, by: string | null): DrawnMessage {
  const text = `${person(by ?? purchase.requester)} asks for a decision: ${requestShort(purchase)}`;
  return { text, blocks: [section(`${text}. Open until ${when(purchase.expiresAt)}.`)] };
}

export function questionInThread(record: PurchaseRecord, id: string | null): DrawnMessage {
  const { by, text } = questionOf(record, id);
  const who = `${person(by)} asks ${person(record.purchase.requester)}`;
  return { text: who, blocks: [section(`${who}:`), foreign(plainLines(text, LONGEST_FOREIGN))] };
}

/** @param id of the question that is answered */
export function answerInThread(record: PurchaseRecord, id: string | null): DrawnMessage {
  const { by, answer } = questionOf(record, id);
  const who = `${person(answer?.by ?? record.purchase.requester)} answers ${person(by)}`;
  return { text: who, blocks: [section(`${who}:`), foreign(plainLines(answer?.text ?? '', LONGEST_FOREIGN))] };
}

/** To the requester, who answers from there as long as nobody has decided. */
export function questionMessage(record: PurchaseRecord, id: string | null): DrawnMessage {
  const { purchase } = record;
  const question = questionOf(record, id);
  const { by, text, answer } = question;
  const open = answer === null && purchase.state === 'requested';
  const head = `${person(by)} asks about your request (${requestShort(purchase)})`;
  return {
    text: head,
    blocks: [
      section(`*${head}:*`),
      foreign(plainLines(text, LONGEST_FOREIGN)),
      ...(answer ? [section('*Your answer:*'), foreign(plainLines(answer.text, LONGEST_FOREIGN))] : []),
      ...(answer === null && !open ? [section('It was decided before there was an answer.')] : []),
      smallPrint(purchase),
      ...actions(open ? [button('Answer', ACTION.answer, question.id, 'primary')] : []),
    ],
  };
}

/** As many characters as may be typed, and room for what is escaped. */
const LONGEST_FOREIGN = 2_800;

export function askView(draftId: string, record: PurchaseRecord): types.ModalView {
  const { purchase } = record;
  return modal({
    callback: CALLBACK.ask,
    title: 'Ask a question',
    draftId,
    submit: 'Ask',
    close: 'Cancel',
    blocks: [
      fields(factsOf(purchase)),
      reasonBlock(purchase.reason),
      ...paragraph(talkLines(record)),
      textInput({
        block: BLOCK.question,
        action: ACTION.question,
        label: 'Question',
        placeholder: 'Asked by direct message and under the card; the answer shows on the card',
        multiline: true,
        longest: LONGEST_REASON,
      }),
      smallPrint(purchase),
    ],
  });
}

export function answerQuestionView(draftId: string, record: PurchaseRecord, id: string): types.ModalView {
  const { purchase } = record;
  const { by, text } = questionOf(record, id);
  return modal({
    callback: CALLBACK.answer,
    title: 'Answer',
    draftId,
    submit: 'Answer',
    close: 'Cancel',
    blocks: [
      section(`*${person(by)} asks:*`),
      foreign(plainLines(text, LONGEST_FOREIGN)),
      fields(ownFactsOf(purchase)),
      textInput({
        block: BLOCK.answer,
        action: ACTION.answerText,
        label: 'Your answer',
        placeholder: 'Shown on the card and in its thread',
        multiline: true,
        longest: LONGEST_REASON,
      }),
      smallPrint(purchase),
    ],
  });
}

export function decodeQuestion(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.question, ACTION.question, 'Say what you want to know');
}

export function decodeAnswer(values: Values): Decoded<string> {
  return decodeProse(values, BLOCK.answer, ACTION.answerText, 'Say something');
}

function decodeProse(values: Values, block: string, action: string, what: string): Decoded<string> {
  const text = typedText(values, block, action) ?? '';
  const wrong = proseProblem(text, what);
  return wrong ? { ok: false, errors: { [block]: wrong } } : { ok: true, content: text };
}

function questionOf({ purchase, entries }: PurchaseRecord, id: string | null): Question {
  const question = questionsOf(entries).find((one) => one.id === id);
  if (!question) throw new Error(`${purchase.id} has no question ${literal(id ?? '', 60)}`);
  return question;
}
