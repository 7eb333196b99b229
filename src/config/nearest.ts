/** The known word that was most likely meant: at most two letters wrong, or the same words in another spelling; else null. */
export function nearest(word: string, known: readonly string[]): string | null {
  const typed = comparable(word);
  const ranked = known
    .map((candidate) => ({ candidate, wrong: lettersWrong(typed, comparable(candidate)) }))
    .sort((a, b) => a.wrong - b.wrong);
  const [best] = ranked;
  return best !== undefined && best.wrong <= 2 && best.wrong < best.candidate.length / 2 ? best.candidate : null;
}

function comparable(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** Levenshtein's distance, row by row. */
function lettersWrong(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.slice(0, 100).split('').entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
