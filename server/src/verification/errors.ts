import { Type } from "typebox";
import { Uuid } from "../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const verificationProblems = {
  verification_not_found: { status: 404, message: "No verification has this id." },
  verification_under_way: {
    status: 409,
    message: "The books are being verified now. Read data.verificationId until it has ended.",
    data: Type.Object({ verificationId: Uuid }),
  },
} as const satisfies ProblemCatalogue;

export const verificationProblem = problemsFrom(verificationProblems);
