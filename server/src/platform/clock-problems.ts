import { type ProblemCatalogue, problemsFrom } from "./problem.ts";

export const clockProblems = {
  clock_moving: {
    status: 409,
    message: "This sandbox's clock is being moved by another request. Retry when that one has answered.",
  },
  clock_goes_back: { status: 422, message: "A clock only moves forward. Choose a time that is not before now." },
  clock_out_of_range: { status: 422, message: "The clock can be set to times from 2000 to 2099." },
  clock_task_failed: {
    status: 500,
    message:
      "Something that fell due could not be finished. The clock stands at its due time and nothing is lost: advance again to retry.",
  },
  clock_too_much_due: {
    status: 422,
    message:
      "Too much falls due in this stretch of time. The clock stands where data.now says; advance again to go on.",
  },
} as const satisfies ProblemCatalogue;

export const clockProblem = problemsFrom(clockProblems);
