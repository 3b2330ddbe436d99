import type { WalletFigures } from "@jara/sdk";

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
