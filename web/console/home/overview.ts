/** What Home works out of the server's figures. */
import type { Overview, WalletFigures } from "@jara/sdk";

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

const dayMs = 86_400_000;
/** A period ends now, in the middle of a step; the one before ends where it began and is as many steps long. */
const lengthMs = { day: 30 * dayMs, hour: dayMs } as const;

/** The parameters of the period just before this one. */
export function previousPeriod({ from, by }: Pick<Overview, "from" | "by">) {
  return { by, from: new Date(Date.parse(from) - lengthMs[by]).toISOString(), to: from };
}

/** "12% more than", "about the same as", or undefined where there was nothing before. Whole percents, cut. */
export function changeOf(now: number, before: number | undefined): string | undefined {
  if (before === undefined || before === 0) return undefined;
  const percent = Math.trunc(((now - before) / before) * 100);
  if (percent === 0) return "about the same as";
  return `${Math.abs(percent).toLocaleString("en-NG")}% ${percent > 0 ? "more" : "less"} than`;
}

/** Payouts that were accepted and have no outcome yet. */
export function pendingOf(payouts: Overview["payouts"]): { readonly count: number; readonly amount: number } {
  const open = (payouts?.byStatus ?? []).filter(({ status }) => status === "pending" || status === "processing");
  const kobo = open.reduce((sum, { amount }) => sum + koboOf(amount), 0);
  return { count: open.reduce((sum, { count }) => sum + count, 0), amount: kobo / 100 };
}
