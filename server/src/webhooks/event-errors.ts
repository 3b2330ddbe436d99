import { Type } from "typebox";
import { type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";

export const eventProblems = {
  event_not_found: { status: 404, message: "No event has this id. List events to find the right one." },
  too_many_events: {
    status: 422,
    message: "The span has more events than one request can send again. data says how many; choose a shorter span.",
    data: Type.Object({ matching: Type.Integer({ examples: [12000] }), atMost: Type.Integer({ examples: [10000] }) }),
  },
  too_many_streams: {
    status: 429,
    message: "This key has as many streams open as it may. Close one, or share one among your own readers.",
    retryAfter: true,
  },
  feed_cursor_unknown: {
    status: 422,
    message:
      "The cursor does not belong to this feed: it was changed, or the sandbox was reset. Start again without after.",
  },
} as const satisfies ProblemCatalogue;

export const eventProblem = problemsFrom(eventProblems);
