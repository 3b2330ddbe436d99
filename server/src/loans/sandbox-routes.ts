/** Deciding about a loan by hand, in a sandbox. */
import type { Tx } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { approveLoan, rejectLoan } from "./decide-loan.ts";
import { type DisbursingDependencies, disburseLoan } from "./disburse-loan.ts";
import { loanFor } from "./mask-loan.ts";
import { readLoanRecord, requireLoan } from "./read-loan.ts";
import { loanRecord } from "./schemas.ts";

interface Way {
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly problems: readonly string[];
  run(tx: Tx, deps: DisbursingDependencies, id: string): Promise<unknown>;
}

const ways: Readonly<Record<string, Way>> = {
  approve: {
    summary: "Approve a loan",
    description: "Grants a pending loan at once, whatever the BVN. It is paid out about 2 s later.",
    message: "Loan approved.",
    problems: [],
    run: (tx, { sealer }, id) => approveLoan(tx, sealer, id),
  },
  reject: {
    summary: "Reject a loan",
    description: "Refuses a pending loan at once.",
    message: "Loan rejected.",
    problems: [],
    run: (tx, { sealer }, id) => rejectLoan(tx, sealer, id),
  },
  disburse: {
    summary: "Disburse a loan",
    description:
      "Starts to pay out an approved loan at once, also after an earlier payment has failed. `loan.disbursed` follows when the bank has paid.",
    message: "Disbursement started.",
    problems: ["loan_being_disbursed", "insufficient_funds"],
    run: disburseLoan,
  },
};

export function loanSandboxRoutes(deps: DisbursingDependencies): Route[] {
  return Object.entries(ways).map(([word, way]) =>
    describeRoute("key", {
      method: "POST",
      path: `/sandbox/loans/{id}/${word}`,
      operationId: `${word}SandboxLoan`,
      tag: "Sandbox",
      scope: "sandbox:write",
      sandboxOnly: true,
      summary: way.summary,
      description: way.description,
      params: IdParams,
      reply: { status: 200, message: way.message, data: loanRecord },
      problems: ["loan_not_found", "invalid_state", ...way.problems],
      handle: ({ caller, params, write }) =>
        write(async (tx) => {
          const { id } = await requireLoan(tx, deps.sealer, params.id);
          await way.run(tx, deps, id);
          return { data: loanFor(caller, await readLoanRecord(tx, deps.sealer, id)) };
        }),
    }),
  );
}
