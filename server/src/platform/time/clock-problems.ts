import { Type } from "typebox";
import { Timestamp } from "../http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../problem.ts";

export const clockProblems = {
  clock_moving: {
    status: 409,
    cause: "This sandbox's clock is being moved by another request.",
    cure: "Retry when that request has finished.",
  },
  clock_goes_back: {
    status: 422,
    cause: "A clock only moves forward.",
    cure: "Choose a time that is not before now.",
    data: Type.Object({ now: Timestamp }),
  },
  clock_out_of_range: {
    status: 422,
    cause: "The clock can be set to times from 2000 to 2099.",
    cure: "Choose a time in these years.",
  },
  clock_task_failed: {
    status: 500,
    cause: "Something that fell due could not be finished.",
    cure: "The clock stands at its due time and nothing is lost: advance again to retry.",
    data: Type.Object({ kind: Type.String({ examples: ["loans.age"] }), subject: Type.String(), dueAt: Timestamp }),
  },
  clock_too_much_due: {
    status: 422,
    cause: "Too much falls due in this stretch of time.",
    cure: "The clock stands where data.now says; advance again to go on.",
    data: Type.Object({ now: Timestamp, ran: Type.Integer({ examples: [10000] }) }),
  },
} as const satisfies ProblemCatalogue;

export const clockProblem = problemsFrom(clockProblems);
