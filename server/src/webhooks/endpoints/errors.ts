import { Type } from "typebox";
import { Uuid } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { mostEndpoints } from "./endpoint.ts";

export const webhookProblems = {
  webhook_endpoint_not_found: { status: 404, cause: "No webhook endpoint has this id." },
  webhook_endpoint_limit: {
    status: 422,
    cause: `An environment has at most ${mostEndpoints} webhook endpoints.`,
    cure: "Delete one that is no longer used.",
  },
  webhook_endpoint_exists: {
    status: 409,
    cause: "Another endpoint of this environment has this address, so every event would arrive twice.",
    cure: "Change or delete that endpoint first; data.endpointId names it.",
    data: Type.Object({ endpointId: Uuid }),
  },
  webhook_endpoint_disabled: {
    status: 409,
    cause: "This endpoint is disabled, so nothing is sent to it.",
    cure: "Enable it first.",
  },
} as const satisfies ProblemCatalogue;

export const webhookProblem = problemsFrom(webhookProblems);
