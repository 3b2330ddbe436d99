/** Which known word somebody may have meant: for hints in errors and warnings. */

const longestWord = 60;

/** The nearest candidate, if it is near enough to be a slip of the hand; undefined when nothing is. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  const wanted = plainWord(word);
  // A third of the letters may be wrong, but never more than three: beyond that it is a guess.
  let best = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  let nearest: string | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plainWord(candidate), best);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

/** Case and the habits of the other family (snake_case, camelCase, kebab-case) do not count as mistakes. */
export function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Letters to add, drop or change (Levenshtein); `limit` once it is clear that there are at least so many. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const cost = Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    above = current;
  }
  return Math.min(above[right.length] ?? limit, limit);
}
