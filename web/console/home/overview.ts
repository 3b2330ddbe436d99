/** What the console shows of a period. The fields are those of GET /overview. */
export interface Overview {
  readonly by: "hour" | "day";
  readonly wallet?: WalletFigures;
  readonly payouts?: { readonly byBank: readonly BankFigures[] };
}

interface WalletFigures {
  readonly available: number;
  readonly moneyIn: number;
  readonly moneyOut: number;
  readonly steps: readonly { readonly at: string; readonly moneyIn: number; readonly moneyOut: number }[];
}

export interface BankFigures {
  readonly bankCode: string;
  readonly bankName: string;
  readonly count: number;
  readonly amount: number;
  readonly successRate: number | null;
  readonly medianSeconds: number | null;
}

/** What the wallet held at the end of each step, from what it holds now. In kobo, so that nothing is lost on the way. */
export function balancesOf({ available, steps }: Pick<WalletFigures, "available" | "steps">): number[] {
  let kobo = koboOf(available);
  const backwards = steps.toReversed().map(({ moneyIn, moneyOut }) => {
    const end = kobo;
    kobo += koboOf(moneyOut) - koboOf(moneyIn);
    return end / 100;
  });
  return backwards.toReversed();
}

const koboOf = (naira: number): number => Math.round(naira * 100);
