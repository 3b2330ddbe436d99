import { Type } from "typebox";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { checkData } from "./check-schema.ts";

export const connectionProblems = {
  connection_not_found: { status: 404, message: "No connection has this id." },
  connection_check_failed: {
    status: 422,
    message:
      "The provider was asked and something stands in the way. Nothing was saved; data.checks says what to mend.",
    data: Type.Object({ checks: Type.Array(checkData) }),
  },
  connection_mode_mismatch: {
    status: 422,
    message: "A live environment takes live connections, a sandbox takes test connections.",
  },
  connection_address_refused: {
    status: 422,
    message: "The address in baseUrl must be https, or http on this machine, without user, query or fragment.",
  },
  connection_port_refused: {
    status: 422,
    message:
      "A connection in this list does not serve this port. GET /operator/providers shows what each serves, and which credentials a port needs.",
  },
  hook_signature_invalid: {
    status: 401,
    message: "The signature does not fit the body. Check the webhook secret of this connection.",
  },
  approval_refused: { status: 400, message: "No payment of ours that is under way fits this question." },
} as const satisfies ProblemCatalogue;

export const connectionProblem = problemsFrom(connectionProblems);
