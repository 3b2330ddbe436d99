/**
 * 97% of payouts succeeded. Whole percents are cut, never rounded up: 99.9 is not everything. What a computer's
 * fractions lose is put back first: 0.58 × 100 is a little less than 58 to it.
 */
export function successText({ successRate }: { readonly successRate: number | null }): string {
  return successRate === null ? "–" : `${Math.floor(Math.round(successRate * 1e8) / 1e6)}%`;
}
