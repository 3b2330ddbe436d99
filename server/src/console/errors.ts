import { Type } from "typebox";
import { OneOf } from "../platform/http/wire.ts";
import { type Problem, type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import { proofWays } from "./proof.ts";

export const consoleProblems = {
  not_signed_in: { status: 401, cause: "You are not signed in, or your session has ended.", cure: "Sign in again." },
  cross_site_request: {
    status: 403,
    cause: "The console takes changes from its own pages only.",
    cure: "Send Origin with the console's own address, and x-jara-console: 1.",
  },
  role_missing: {
    status: 403,
    cause: "Your role does not allow this.",
    cure: "data.role is the role that you have; ask an owner or an admin.",
    data: Type.Object({ role: Type.Unsafe<string | null>({ type: ["string", "null"], examples: ["support"] }) }),
  },
  sign_in_link_invalid: {
    status: 401,
    cause: "This sign-in link was used before, has expired, or is not complete.",
    cure: "Ask for a new one.",
  },
  proof_needed: {
    status: 403,
    cause:
      "Prove that it is still you: POST /console/api/prove in one of the ways in data.ways, then send the request again.",
    cure: "Without a way, sign in again and choose a password within ten minutes.",
    data: Type.Object({ ways: Type.Array(OneOf(proofWays)) }),
  },
  proof_wrong: { status: 403, cause: "That is not right.", cure: "Check what you typed, and try again." },
  sign_in_wrong: { status: 401, cause: "E-mail and password do not belong together.", cure: "Check both." },
  code_needed: {
    status: 401,
    cause: "Signing in needs a code as well.",
    cure: "Send what your authenticator app shows, or one of your recovery codes, as `code`.",
  },
  code_wrong: {
    status: 403,
    cause: "This code is not right, or was used before.",
    cure: "Wait for the next one and check the clock of your phone.",
  },
  authenticator_exists: {
    status: 409,
    cause: "Your authenticator app is on already.",
    cure: "Turn it off first to begin with another.",
  },
  authenticator_not_found: {
    status: 404,
    cause: "No authenticator app is there.",
    cure: "Begin with POST /console/api/authenticator.",
  },
  passkey_wrong: {
    status: 401,
    cause: "This passkey was not accepted: it was removed, belongs elsewhere, or took longer than three minutes.",
    cure: "Try again, or sign in another way.",
  },
  passkey_not_added: {
    status: 422,
    cause: "The device did not finish as asked, or took longer than three minutes.",
    cure: "Begin again.",
  },
  passkey_exists: {
    status: 409,
    cause: "This passkey is known already.",
    cure: "Use another device, or remove it first.",
  },
  passkey_not_found: { status: 404, cause: "You have no such passkey.", cure: "It may have been removed already." },
  passkeys_full: { status: 409, cause: "You have twenty passkeys.", cure: "Remove one that you do not use first." },
  team_not_found: { status: 404, cause: "You are on no such team.", cure: "Ask one of its owners to invite you." },
  person_not_found: {
    status: 404,
    cause: "This person is not on the team.",
    cure: "They may have been removed already.",
  },
  member_exists: { status: 409, cause: "This person is on the team already.", cure: "Change their role instead." },
  last_owner: { status: 409, cause: "A merchant needs an owner.", cure: "Make somebody else an owner first." },
  operator_person_not_found: {
    status: 404,
    cause: "Nobody with this id is among the operator's people.",
    cure: "GET /operator/people lists them all.",
  },
  last_admin: { status: 409, cause: "The operator needs an admin.", cure: "Make somebody else an admin first." },
  invitation_not_found: {
    status: 404,
    cause: "No such invitation is open.",
    cure: "It may have been used or withdrawn.",
  },
  invitation_invalid: {
    status: 404,
    cause: "This invitation was used before, was withdrawn, or has expired.",
    cure: "Ask for a new one.",
  },
  invitation_for_other: {
    status: 403,
    cause: "This invitation is for another person.",
    cure: "Sign in with the address that it was sent to.",
  },
  person_exists: {
    status: 409,
    cause: "Somebody has this address already.",
    cure: "Sign in, then open the invitation again.",
  },
  session_not_found: { status: 404, cause: "You have no such session.", cure: "It may have ended already." },
} as const satisfies ProblemCatalogue;

export const consoleProblem = problemsFrom(consoleProblems);

type SignInRefusal = "not_signed_in" | "sign_in_link_invalid" | "sign_in_wrong" | "code_needed" | "passkey_wrong";

/** HTTP wants to be told how one could come in; no browser asks its user about this one. */
export function notSignedIn(code: SignInRefusal = "not_signed_in"): Problem {
  return consoleProblem(code, { headers: { "WWW-Authenticate": "Session" } });
}
