/** The known word that was most likely meant: few letters wrong, or the same words in another spelling; else null. */
export function nearest(word: string, known: readonly string[], mostWrong = 2): string | null {
  const typed = comparable(word);
  const [best] = known
    .map((candidate) => ({ candidate, letters: comparable(candidate) }))
    // Each letter that one has more than the other is wrong: most words need no closer look.
    .filter(({ letters }) => Math.abs(letters.length - typed.length) <= mostWrong)
    .map(({ candidate, letters }) => ({ candidate, wrong: lettersWrong(typed, letters) }))
    .sort((a, b) => a.wrong - b.wrong);
  return best !== undefined && best.wrong <= mostWrong && best.wrong < best.candidate.length / 2
    ? best.candidate
    : null;
}

function comparable(word: string): string {
  return word.toLowerCase().replace(/[-_ ]/g, '');
}

/** Letters to replace, add, leave out, or exchange with their neighbour (Damerau and Levenshtein), row by row. */
function lettersWrong(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < Math.min(a.length, 100); i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const exchanged = a[i] === b[j - 1] && a[i - 1] === b[j] ? (before[j - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
