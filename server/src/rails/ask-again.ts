const firstDelayMs = 2_000;
const longestOnTheFirstDayMs = 15 * 60_000;
const longestDelayMs = 60 * 60_000;
/** When so many were asked, a day has gone by. */
const questionsOfADay = 105;

/** How long to wait before asking a rail again about a payment that it was asked about so many times. */
export function delayAfter(queries: number): number {
  const longest = queries < questionsOfADay ? longestOnTheFirstDayMs : longestDelayMs;
  return Math.min(firstDelayMs * 2 ** Math.min(queries - 1, 20), longest);
}
