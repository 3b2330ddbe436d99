/** 97 % of payouts got through. Whole percents are cut, never rounded up: 99.9 is not everything. */
export function successText({ successRate }: { readonly successRate: number | null }): string {
  return successRate === null ? "–" : `${Math.floor(successRate * 100)} %`;
}
