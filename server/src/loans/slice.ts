import { loanTransitions, wayBack } from "../lending/account/loan-account.ts";
import { drawStates } from "../platform/http/openapi/states.ts";
import type { Slice } from "../platform/slice-description.ts";
import { loanEvents } from "./announce-loan.ts";
import type { DecidingDependencies } from "./decide-loan.ts";
import type { DisbursingDependencies } from "./disburse-loan.ts";
import { loanProblems } from "./errors.ts";
import { searchedLoans } from "./loan-store.ts";
import { loanSweepSources, loanTaskKinds, loanTasks } from "./loans.job.ts";
import type { NamingDependencies } from "./name-account.ts";
import { loanOperatorRoutes } from "./operator-routes.ts";
import { undecidedLoans } from "./overview-store.ts";
import { type LoanRouteDependencies, loanRoutes } from "./routes.ts";
import { loanSandboxRoutes } from "./sandbox-routes.ts";
import { loanSealedColumns } from "./sealed-columns.ts";
import { loanTrace } from "./trace-loans.ts";

export const loanSlice: Slice<
  LoanRouteDependencies & DisbursingDependencies,
  NamingDependencies & DecidingDependencies
> = {
  sections: [
    {
      name: "Loans",
      description: [
        "Loan requests for applicants, their schedules, repayments and every figure explained.",
        drawStates("a loan", loanTransitions, wayBack),
      ].join("\n\n"),
    },
  ],
  scopes: ["loans"],
  decisions: ["loan", "loan_payout"],
  problems: loanProblems,
  events: loanEvents,
  sealedColumns: loanSealedColumns,
  lookupFunctions: {
    "find_waiting_loans(text,integer,uuid,uuid,integer)":
      "The sweeper looks for loans of any environment that nothing decides or pays out.",
  },
  traces: [loanTrace],
  searched: searchedLoans,
  overviews: [undecidedLoans],
  taskKinds: loanTaskKinds,
  sweepSources: loanSweepSources,
  routes: (needs) => [...loanRoutes(needs), ...loanSandboxRoutes(needs), ...loanOperatorRoutes(needs)],
  tasks: loanTasks,
};
