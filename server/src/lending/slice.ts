import type { Slice } from "../platform/slice-description.ts";
import { lendingAccounts } from "./account/lending-accounts.ts";
import { searchedRepayments } from "./account/repayment-store.ts";
import {
  type AgeingDependencies,
  lendingSweepSources,
  lendingTaskKinds,
  lendingTasks,
} from "./collect/age-loan.job.ts";
import { lendingProblems } from "./collect/errors.ts";
import { lenderProblems } from "./lender/errors.ts";
import { openLending } from "./lender/open-lending.ts";
import { lenderRoutes } from "./lender/routes.ts";
import { verifyLender } from "./lender/verify-lender.ts";
import { loanOverview } from "./overview-loans.ts";
import { productRoutes } from "./pricing/product-routes.ts";
import type { ProductUse } from "./pricing/publish-product.ts";
import { lendingTrace } from "./trace-lending.ts";
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
