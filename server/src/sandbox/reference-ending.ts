/** The word that a merchant puts at the end of a reference to choose an outcome, such as FAIL; empty without one. */
export function referenceEnding(reference: string): string {
  return /_([A-Z]+)$/.exec(reference)?.[1] ?? "";
}
