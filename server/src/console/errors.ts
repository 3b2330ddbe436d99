import { Type } from "typebox";
import { OneOf } from "../platform/http/wire.ts";
import { type Problem, type ProblemCatalogue, problemsFrom } from "../platform/problem.ts";
import { proofWays } from "./proof.ts";

export const consoleProblems = {
  not_signed_in: { status: 401, message: "You are not signed in, or your session has ended. Sign in again." },
  cross_site_request: {
    status: 403,
    message:
      "The console takes changes from its own pages only. Send Origin with the console's own address, and x-jara-console: 1.",
  },
  role_missing: {
    status: 403,
    message: "Your role does not allow this. data.role is the role that you have; ask an owner or an admin.",
    data: Type.Object({ role: Type.Unsafe<string | null>({ type: ["string", "null"], examples: ["support"] }) }),
  },
  sign_in_link_invalid: {
    status: 401,
    message: "This sign-in link was used before, has expired, or is not complete. Ask for a new one.",
  },
  proof_needed: {
    status: 403,
    message:
      "Prove that it is still you: POST /console/api/prove in one of the ways in data.ways, then send the request again. Without a way, sign in again and choose a password within ten minutes.",
    data: Type.Object({ ways: Type.Array(OneOf(proofWays)) }),
  },
  proof_wrong: { status: 403, message: "That is not right. Check what you typed, and try again." },
  sign_in_wrong: { status: 401, message: "E-mail and password do not belong together. Check both." },
  code_needed: {
    status: 401,
    message:
      "Signing in needs a code as well. Send what your authenticator app shows, or one of your recovery codes, as `code`.",
  },
  code_wrong: {
    status: 403,
    message: "This code is not right, or was used before. Wait for the next one and check the clock of your phone.",
  },
  authenticator_exists: {
    status: 409,
    message: "Your authenticator app is on already. Turn it off first to begin with another.",
  },
  authenticator_not_found: {
    status: 404,
    message: "No authenticator app is there. Begin with POST /console/api/authenticator.",
  },
  passkey_wrong: {
    status: 401,
    message:
      "This passkey was not accepted: it was removed, belongs elsewhere, or took longer than three minutes. Try again, or sign in another way.",
  },
  passkey_not_added: {
    status: 422,
    message: "The device did not finish as asked, or took longer than three minutes. Begin again.",
  },
  passkey_exists: { status: 409, message: "This passkey is known already. Use another device, or remove it first." },
  passkey_not_found: { status: 404, message: "You have no such passkey. It may have been removed already." },
  passkeys_full: { status: 409, message: "You have twenty passkeys. Remove one that you do not use first." },
  team_not_found: { status: 404, message: "You are on no such team. Ask one of its owners to invite you." },
  person_not_found: { status: 404, message: "This person is not on the team. They may have been removed already." },
  member_exists: { status: 409, message: "This person is on the team already. Change their role instead." },
  last_owner: { status: 409, message: "A merchant needs an owner. Make somebody else an owner first." },
  operator_person_not_found: {
    status: 404,
    message: "Nobody with this id is among the operator's people. GET /operator/people lists them all.",
  },
  last_admin: { status: 409, message: "The operator needs an admin. Make somebody else an admin first." },
  invitation_not_found: { status: 404, message: "No such invitation is open. It may have been used or withdrawn." },
  invitation_invalid: {
    status: 404,
    message: "This invitation was used before, was withdrawn, or has expired. Ask for a new one.",
  },
  invitation_for_other: {
    status: 403,
    message: "This invitation is for another person. Sign in with the address that it was sent to.",
  },
  person_exists: {
    status: 409,
    message: "Somebody has this address already. Sign in, then open the invitation again.",
  },
  session_not_found: { status: 404, message: "You have no such session. It may have ended already." },
} as const satisfies ProblemCatalogue;

export const consoleProblem = problemsFrom(consoleProblems);

type SignInRefusal = "not_signed_in" | "sign_in_link_invalid" | "sign_in_wrong" | "code_needed" | "passkey_wrong";

/** HTTP wants to be told how one could come in; no browser asks its user about this one. */
export function notSignedIn(code: SignInRefusal = "not_signed_in"): Problem {
  return consoleProblem(code, { headers: { "WWW-Authenticate": "Session" } });
}
