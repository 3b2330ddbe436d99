import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const sandboxProblems = {
  bank_not_found: { status: 404, message: "No bank has this code. GET /transfers/banks lists them all." },
} as const satisfies ProblemCatalogue;

export const sandboxProblem = problemsFrom(sandboxProblems);
