/** Which adapter serves which kind of environment. A kind without one answers rail_not_configured. */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import type { BankRail } from "./bank.ts";
import type { BillerRail } from "./biller.ts";
import type { CardRail } from "./card.ts";
import type { IdentityRail } from "./identity.ts";
import type { MessageRail } from "./message.ts";

export const railProblems = {
  rail_not_configured: {
    status: 503,
    message: "This environment is not connected to a provider yet. Ask the operator of this service.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

const railProblem = problemsFrom(railProblems);

type ByKind<Rail> = Readonly<Record<EnvironmentKind, Rail | null>>;

function railOf<Rail>(rails: ByKind<Rail>, kind: EnvironmentKind): Rail {
  const rail = rails[kind];
  if (rail === null) throw railProblem("rail_not_configured", { headers: { "retry-after": "3600" } });
  return rail;
}

export interface BankRails {
  readonly bank: ByKind<BankRail>;
}

export function bankRailFor(rails: BankRails, kind: EnvironmentKind): BankRail {
  return railOf(rails.bank, kind);
}

export interface BillerRails {
  readonly biller: ByKind<BillerRail>;
}

export function billerRailFor(rails: BillerRails, kind: EnvironmentKind): BillerRail {
  return railOf(rails.biller, kind);
}

export interface CardRails {
  readonly card: ByKind<CardRail>;
}

export function cardRailFor(rails: CardRails, kind: EnvironmentKind): CardRail {
  return railOf(rails.card, kind);
}

export interface MessageRails {
  readonly message: ByKind<MessageRail>;
}

export function messageRailFor(rails: MessageRails, kind: EnvironmentKind): MessageRail {
  return railOf(rails.message, kind);
}

export interface IdentityRails {
  readonly identity: ByKind<IdentityRail>;
}

export function identityRailFor(rails: IdentityRails, kind: EnvironmentKind): IdentityRail {
  return railOf(rails.identity, kind);
}
