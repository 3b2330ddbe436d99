import { Type } from "typebox";
import { Timestamp } from "../http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../problem.ts";

export const clockProblems = {
  clock_moving: {
    status: 409,
    message: "This sandbox's clock is being moved by another request. Retry when that request has finished.",
  },
  clock_goes_back: {
    status: 422,
    message: "A clock only moves forward. Choose a time that is not before now.",
    data: Type.Object({ now: Timestamp }),
  },
  clock_out_of_range: { status: 422, message: "The clock can be set to times from 2000 to 2099." },
  clock_task_failed: {
    status: 500,
    message:
      "Something that fell due could not be finished. The clock stands at its due time and nothing is lost: advance again to retry.",
    data: Type.Object({ kind: Type.String({ examples: ["loans.age"] }), subject: Type.String(), dueAt: Timestamp }),
  },
  clock_too_much_due: {
    status: 422,
    message:
      "Too much falls due in this stretch of time. The clock stands where data.now says; advance again to go on.",
    data: Type.Object({ now: Timestamp, ran: Type.Integer({ examples: [10000] }) }),
  },
} as const satisfies ProblemCatalogue;

export const clockProblem = problemsFrom(clockProblems);
