import { Type } from "typebox";
import { Uuid } from "../platform/http/wire.ts";
import { type Problem, type ProblemCatalogue, type ProblemDetail, problemsFrom } from "../platform/problem.ts";

export const authProblems = {
  missing_key: {
    status: 401,
    cause: "The request has no key.",
    cure: "Send your secret key in the header Authorization: Bearer sk_…",
  },
  invalid_key: {
    status: 401,
    cause: "This key is not known here.",
    cure: "Check that it was copied whole and is meant for this path.",
  },
  key_revoked: { status: 401, cause: "This key was revoked.", cure: "Use another key." },
  key_expired: { status: 401, cause: "This key has expired.", cure: "Use its successor, or ask for a new key." },
  address_not_allowed: {
    status: 403,
    cause: "This key may not be used from your address.",
    cure: "Ask for its allow list to be changed.",
  },
  scope_missing: {
    status: 403,
    cause: "This key lacks the scope that this request needs.",
    cure: "data.scope names it.",
    data: Type.Object({ scope: Type.String({ examples: ["transfers:write"] }) }),
  },
  key_not_found: { status: 404, cause: "No key has this id." },
  key_beyond_role: {
    status: 403,
    cause: "In a live environment a key may do what you may do, and no more.",
    cure: "data.scope is not yours: leave it out, or ask an owner.",
    data: Type.Object({ scope: Type.String({ examples: ["transfers:write"] }) }),
  },
  key_already_rotated: {
    status: 409,
    cause: "This key was rotated before.",
    cure: "Rotate its successor, named in data.replacedBy.",
    data: Type.Object({ replacedBy: Uuid }),
  },
  key_not_active: {
    status: 409,
    cause: "This key was revoked or has expired, so there is nothing to rotate.",
    cure: "Issue a new key.",
  },
} as const satisfies ProblemCatalogue;

export const authProblem = problemsFrom(authProblems);

/** Refuses a request without a usable key, in the way HTTP asks for. */
export function unauthorized(
  code: "missing_key" | "invalid_key" | "key_revoked" | "key_expired",
  detail: ProblemDetail = {},
): Problem {
  return authProblem(code, { ...detail, headers: { "WWW-Authenticate": "Bearer" } });
}
