import { Type } from "typebox";
import { Timestamp } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const eventProblems = {
  event_not_found: { status: 404, cause: "No event has this id.", cure: "List events to find the right one." },
  event_archived: {
    status: 410,
    cause: "Events of that time are in the archive.",
    cure: "data says until when; ask the operator for older ones (jara archive read).",
    data: Type.Object({ archivedUntil: Timestamp }),
  },
  too_many_events: {
    status: 422,
    cause: "The span has more events than one request can send again.",
    cure: "data says how many; choose a shorter span.",
    data: Type.Object({ matching: Type.Integer({ examples: [12000] }), atMost: Type.Integer({ examples: [10000] }) }),
  },
  too_many_streams: {
    status: 429,
    cause: "This key has as many streams open as it may.",
    cure: "Close one, or share one among your own readers.",
    retryAfter: true,
  },
  feed_cursor_archived: {
    status: 410,
    cause: "What came after this cursor is in the archive.",
    cure: "Ask the operator for it (jara archive read), and go on with the cursor in data.",
    data: Type.Object({
      cursor: Type.String({ description: "Where what is online begins.", examples: ["MS8wMTkzMGI2ZS03"] }),
      archivedUntil: Timestamp,
    }),
  },
  feed_cursor_unknown: {
    status: 422,
    cause: "The cursor does not belong to this feed: it was changed, or the sandbox was reset.",
    cure: "Start again without after.",
  },
} as const satisfies ProblemCatalogue;

export const eventProblem = problemsFrom(eventProblems);
