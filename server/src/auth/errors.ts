import { Type } from "typebox";
import { Uuid } from "../platform/http/wire.ts";
import { type Problem, type ProblemCatalogue, type ProblemDetail, problemsFrom } from "../platform/problem.ts";

export const authProblems = {
  missing_key: { status: 401, message: "Send your secret key in the header Authorization: Bearer sk_…" },
  invalid_key: {
    status: 401,
    message: "This key is not known here. Check that it was copied whole and is meant for this path.",
  },
  key_revoked: { status: 401, message: "This key was revoked. Use another key." },
  key_expired: { status: 401, message: "This key has expired. Use its successor, or ask for a new key." },
  address_not_allowed: {
    status: 403,
    message: "This key may not be used from your address. Ask for its allow list to be changed.",
  },
  scope_missing: {
    status: 403,
    message: "This key lacks the scope that this request needs. data.scope names it.",
    data: Type.Object({ scope: Type.String({ examples: ["transfers:write"] }) }),
  },
  key_not_found: { status: 404, message: "No key has this id." },
  key_beyond_role: {
    status: 403,
    message:
      "In a live environment a key may do what you may do, and no more. data.scope is not yours: leave it out, or ask an owner.",
    data: Type.Object({ scope: Type.String({ examples: ["transfers:write"] }) }),
  },
  key_already_rotated: {
    status: 409,
    message: "This key was rotated before. Rotate its successor, named in data.replacedBy.",
    data: Type.Object({ replacedBy: Uuid }),
  },
  key_not_active: {
    status: 409,
    message: "This key was revoked or has expired, so there is nothing to rotate. Issue a new key.",
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
