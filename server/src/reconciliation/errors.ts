import { Type } from "typebox";
import { Uuid } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const reconciliationProblems = {
  reconciliation_not_found: { status: 404, message: "No reconciliation has this id." },
  reconciliation_exception_not_found: { status: 404, message: "No exception of a reconciliation has this id." },
  reconciliation_date_refused: {
    status: 422,
    message: "A day that has not begun in Lagos cannot be compared. Name today or an earlier day.",
  },
  reconciliation_not_offered: {
    status: 422,
    message:
      "This provider neither lists its payments nor answers about single ones. Compare its own statement by hand.",
  },
  reconciliation_under_way: {
    status: 409,
    message: "This day of the connection is being compared now. Read data.reconciliationId until it has ended.",
    data: Type.Object({ reconciliationId: Uuid }),
  },
} as const satisfies ProblemCatalogue;

export const reconciliationProblem = problemsFrom(reconciliationProblems);
