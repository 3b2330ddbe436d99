import type { Slice } from "../platform/slice-description.ts";
import { type AgeingDependencies, lendingSweepSources, lendingTaskKinds, lendingTasks } from "./age-loan.job.ts";
import { lendingProblems } from "./errors.ts";
import { lenderProblems } from "./lender-errors.ts";
import { lenderRoutes } from "./lender-routes.ts";
import { lendingAccounts } from "./lending-accounts.ts";
import { openLending } from "./open-lending.ts";
import { loanOverview } from "./overview-loans.ts";
import { productRoutes } from "./product-routes.ts";
import type { ProductUse } from "./publish-product.ts";
import { searchedRepayments } from "./search-store.ts";
import { lendingTrace } from "./trace-lending.ts";
import { verifyLender } from "./verify-lender.ts";
import { verifyLending, verifyProducts } from "./verify-lending.ts";

export const lendingSlice: Slice<ProductUse, AgeingDependencies> = {
  problems: { ...lendingProblems, ...lenderProblems },
  lookupFunctions: {
    "find_ageing_loan_accounts(uuid,uuid,integer)":
      "The sweeper looks for loans of any environment that time will change.",
  },
  systemAccounts: { ...lendingAccounts, card_settlement: "What the card rail has collected and owes us (negative)." },
  traces: [lendingTrace],
  searched: searchedRepayments,
  overviews: [loanOverview],
  taskKinds: lendingTaskKinds,
  sweepSources: lendingSweepSources,
  environmentOpened: openLending,
  checks: [verifyLending, verifyLender, verifyProducts],
  routes: (use) => [...lenderRoutes(), ...productRoutes(use)],
  tasks: lendingTasks,
};
