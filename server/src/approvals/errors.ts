import { Type } from "typebox";
import { NairaNumber, OneOf } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const approvalProblems = {
  approval_needed: {
    status: 403,
    cause: "This is more than you may pay alone within 24 hours.",
    cure: "For a payout or a batch, ask a second person to approve it: POST /approvals with the same order. A bill, a repayment or a refund has to be paid by another person, or with a higher limit.",
    data: Type.Object({ limit: NairaNumber, spent: NairaNumber, amount: NairaNumber }),
  },
  approval_not_found: { status: 404, cause: "No approval has this id." },
  approval_own: {
    status: 403,
    cause: "You asked for this yourself.",
    cure: "Somebody else who may pay has to approve it.",
  },
  approval_decided: {
    status: 409,
    cause: "This was decided before.",
    cure: "Read it again to see how.",
    data: Type.Object({ status: OneOf(["approved", "rejected"]) }),
  },
  approval_expired: { status: 409, cause: "This was asked for more than seven days ago.", cure: "Ask again." },
} as const satisfies ProblemCatalogue;

export const approvalProblem = problemsFrom(approvalProblems);
