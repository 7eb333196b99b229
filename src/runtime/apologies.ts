import { sentenceView } from '../../views/blocks.ts';
import { tell } from '../../views/handlers/reply.ts';
import { brokenSentence, doubtSentence, lateSentence, ledgerAwaySentence } from '../../views/sentences.ts';
import { isInDoubt, isLedgerTrouble } from '../ledger/trouble.ts';
import type { Apologies } from '../slack/listeners.ts';

const TITLE = 'Proxy Desk';

/** What people see where a listener broke, or takes longer than Slack waits. */
export const apologies: Apologies = {
  sentence(reference, error, kind) {
    if (isInDoubt(error)) return doubtSentence(reference);
    // A submit writes once, at its end: where that failed, nothing of it was done.
    return isLedgerTrouble(error) ? ledgerAwaySentence(reference, kind === 'submit') : brokenSentence(reference);
  },
  view: (sentence) => sentenceView(TITLE, sentence),
  lateView: () => sentenceView(TITLE, lateSentence()),
  answerView(answer) {
    if (answer === undefined || answer.response_action === 'clear') return sentenceView(TITLE, 'Done.');
    if (answer.response_action === 'errors')
      return sentenceView(TITLE, `Nothing was filed. ${Object.values(answer.errors).join(' ')} Please start again.`);
    return answer.view as ReturnType<typeof sentenceView>;
  },
  tell,
};
