/** Which adapter serves which kind of environment. A kind without one answers rail_not_configured. */
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import type { BankRail } from "./bank.ts";
import type { BillerRail } from "./biller.ts";

export const railProblems = {
  rail_not_configured: {
    status: 503,
    message: "This environment is not connected to a provider yet. Ask the operator of this service.",
  },
} as const satisfies ProblemCatalogue;

const railProblem = problemsFrom(railProblems);

export type EnvironmentKind = "SANDBOX" | "LIVE";

export interface Rails {
  readonly bank: Readonly<Record<EnvironmentKind, BankRail | null>>;
}

export function bankRailFor(rails: Rails, kind: EnvironmentKind): BankRail {
  const rail = rails.bank[kind];
  if (rail === null) throw railProblem("rail_not_configured", { headers: { "retry-after": "3600" } });
  return rail;
}

export interface BillerRails {
  readonly biller: Readonly<Record<EnvironmentKind, BillerRail | null>>;
}

export function billerRailFor(rails: BillerRails, kind: EnvironmentKind): BillerRail {
  const rail = rails.biller[kind];
  if (rail === null) throw railProblem("rail_not_configured", { headers: { "retry-after": "3600" } });
  return rail;
}
