import { Type } from "typebox";
import { NairaNumber } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const lenderProblems = {
  lender_funds_promised: {
    status: 422,
    cause: "Approved loans are waiting for this money.",
    cure: "Take out at most data.withdrawable, or cancel loans that are not to be paid out.",
    data: Type.Object({ available: NairaNumber, promised: NairaNumber, withdrawable: NairaNumber }),
  },
  lender_funds_differ: {
    status: 409,
    cause: "After this the lender would have put in data.fundedAfter, and not what you expect.",
    cure: "Nothing was moved. Check the amount, and read the funds and their movements again: somebody may have booked it already.",
    data: Type.Object({ fundedAfter: NairaNumber, expected: NairaNumber }),
  },
  evidence_used: {
    status: 409,
    cause: "This evidence was booked before, under the reference in data.reference.",
    cure: "Nothing was moved. If it is other money, name its own session id or line of the statement.",
    data: Type.Object({ reference: Type.String({ examples: ["lender-in-2026-11-03"] }) }),
  },
} as const satisfies ProblemCatalogue;

export const lenderProblem = problemsFrom(lenderProblems);
