import { Type } from "typebox";
import { commonProblems, type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const batchProblems = {
  batch_not_found: { status: 404, cause: "No bulk transfer has this id." },
  duplicate_reference: {
    status: 422,
    cause: "Another item of this request has the same reference.",
    cure: "Give each its own.",
    data: Type.Object({ firstIndex: Type.Integer({ examples: [0] }) }),
  },
  batch_refused: {
    status: 422,
    cause: "Some items cannot be paid, so none was taken.",
    cure: "errors names each; send onInvalid: continue to pay the others.",
    data: commonProblems.validation_failed.data,
  },
} as const satisfies ProblemCatalogue;

export const batchProblem = problemsFrom(batchProblems);
