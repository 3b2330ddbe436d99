import { Type } from "typebox";
import { Uuid } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const reconciliationProblems = {
  reconciliation_not_found: { status: 404, cause: "No reconciliation has this id." },
  reconciliation_exception_not_found: { status: 404, cause: "No exception of a reconciliation has this id." },
  reconciliation_date_refused: {
    status: 422,
    cause: "A day that has not begun in Lagos cannot be compared.",
    cure: "Name today or an earlier day.",
  },
  reconciliation_not_offered: {
    status: 422,
    cause: "This provider neither lists its payments nor answers about single ones.",
    cure: "Compare its own statement by hand.",
  },
  reconciliation_under_way: {
    status: 409,
    cause: "This day of the connection is being compared now.",
    cure: "Read data.reconciliationId until it has ended.",
    data: Type.Object({ reconciliationId: Uuid }),
  },
} as const satisfies ProblemCatalogue;

export const reconciliationProblem = problemsFrom(reconciliationProblems);
