import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const incidentProblems = {
  incident_not_found: { status: 404, message: "No incident has this id." },
  incident_ends_by_itself: {
    status: 409,
    message: "The system sees this one by itself and ends it when it is over. Add words without resolving it.",
  },
} as const satisfies ProblemCatalogue;

export const incidentProblem = problemsFrom(incidentProblems);
