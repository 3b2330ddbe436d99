/** Every refusal that the API can give, by its code: the union of the domains' catalogues. */
import { authProblems } from "./auth/errors.ts";
import { billProblems } from "./bills/errors.ts";
import { cardProblems } from "./checkout/cards/errors.ts";
import { consentProblems } from "./checkout/consent/errors.ts";
import { customerProblems } from "./checkout/customers/errors.ts";
import { checkoutLoanProblems } from "./checkout/loans/errors.ts";
import { sessionProblems } from "./checkout/sessions/errors.ts";
import { ledgerProblems } from "./ledger/errors.ts";
import { lendingProblems } from "./lending/errors.ts";
import { loanProblems } from "./loans/errors.ts";
import { merchantProblems } from "./merchants/errors.ts";
import { httpProblems } from "./platform/http/http-problems.ts";
import { commonProblems, type ProblemCatalogue } from "./platform/problem.ts";
import { clockProblems } from "./platform/time/clock-problems.ts";
import { railProblems } from "./rails/registry.ts";
import { sandboxProblems } from "./sandbox/errors.ts";
import { transferProblems } from "./transfers/errors.ts";
import { walletProblems } from "./wallets/errors.ts";
import { webhookProblems } from "./webhooks/errors.ts";
import { eventProblems } from "./webhooks/event-errors.ts";

const catalogues: readonly ProblemCatalogue[] = [
  commonProblems,
  httpProblems,
  authProblems,
  merchantProblems,
  clockProblems,
  ledgerProblems,
  walletProblems,
  railProblems,
  transferProblems,
  billProblems,
  lendingProblems,
  loanProblems,
  customerProblems,
  checkoutLoanProblems,
  consentProblems,
  cardProblems,
  sessionProblems,
  webhookProblems,
  eventProblems,
  sandboxProblems,
];

export const problemCatalogue: ProblemCatalogue = mergeCatalogues(catalogues);

/** Two domains must not mean different things by one code. */
export function mergeCatalogues(parts: readonly ProblemCatalogue[]): ProblemCatalogue {
  const merged: Record<string, ProblemCatalogue[string]> = {};
  for (const [code, kind] of parts.flatMap((part) => Object.entries(part))) {
    if (merged[code] !== undefined) throw new Error(`two catalogues have the problem ${code}`);
    merged[code] = kind;
  }
  return Object.freeze(merged);
}
