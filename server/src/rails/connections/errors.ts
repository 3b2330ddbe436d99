import { Type } from "typebox";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { checkData } from "./check-schema.ts";

export const connectionProblems = {
  connection_not_found: { status: 404, cause: "No connection has this id." },
  connection_check_failed: {
    status: 422,
    cause: "The provider was asked and something stands in the way.",
    cure: "Nothing was saved; data.checks says what to mend.",
    data: Type.Object({ checks: Type.Array(checkData) }),
  },
  connection_mode_mismatch: {
    status: 422,
    cause: "A live environment takes live connections, a sandbox takes test connections.",
    cure: "Make a connection of the other mode, and route the environment to that.",
  },
  connection_address_refused: {
    status: 422,
    cause: "The address in baseUrl must be https, or http on this machine, without user, query or fragment.",
    cure: "Correct baseUrl, or leave it out to use the provider's own address.",
  },
  connection_port_refused: {
    status: 422,
    cause: "A connection in this list does not serve this port.",
    cure: "GET /operator/providers shows what each serves, and which credentials a port needs.",
  },
  hook_signature_invalid: {
    status: 401,
    cause: "The signature does not fit the body.",
    cure: "Check the webhook secret of this connection.",
  },
  approval_refused: {
    status: 400,
    cause: "No payment of ours that is under way fits this question.",
    cure: "Look at the payment in GET /operator/transfers/{id}: only one that is under way can be approved.",
  },
} as const satisfies ProblemCatalogue;

export const connectionProblem = problemsFrom(connectionProblems);
