/** Everything of the checkout that happens later, and what the sweeper looks for. */
import type { Announce } from "../lending/account/loan-account.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource } from "../platform/work/sweeper.ts";
import type { BankRails, CardRails, IdentityRails, MessageRails } from "../rails/desk.ts";
import { cardSweepSources, cardTaskKinds, cardTasks } from "./cards/cards.job.ts";
import { consentSweepSources, consentTaskKinds, consentTasks } from "./consent/code-order.ts";
import { customerSweepSources, customerTaskKinds, customerTasks } from "./customers/verify-identity.job.ts";
import { loanMoved } from "./follow-loans.ts";
import { checkoutLoanSweepSources, checkoutLoanTaskKinds, checkoutLoanTasks } from "./loans/checkout-loans.job.ts";
import { planSweepSources, planTaskKinds, planTasks } from "./plans/plan-link-order.ts";
import { sessionSweepSources, sessionTaskKinds, sessionTasks } from "./sessions/expire-session.ts";

export interface CheckoutTaskDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly rails: BankRails & CardRails & MessageRails & IdentityRails;
  readonly announce: Announce;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
}

export const checkoutTaskKinds: readonly string[] = [
  ...customerTaskKinds,
  ...checkoutLoanTaskKinds,
  ...consentTaskKinds,
  ...cardTaskKinds,
  ...sessionTaskKinds,
  ...planTaskKinds,
];

export function checkoutTasks(deps: CheckoutTaskDependencies): [string, TaskKind][] {
  const all = { ...deps, loanMoved };
  return [
    ...customerTasks(all),
    ...checkoutLoanTasks(all),
    ...consentTasks(all),
    ...cardTasks(all),
    ...sessionTasks(all),
    ...planTasks(all),
  ];
}

export const checkoutSweepSources: readonly SweepSource[] = [
  ...customerSweepSources,
  ...checkoutLoanSweepSources,
  ...consentSweepSources,
  ...cardSweepSources,
  ...sessionSweepSources,
  ...planSweepSources,
];
