import { createHash, timingSafeEqual } from "node:crypto";
import { readBearer } from "./bearer.ts";
import { unauthorized } from "./errors.ts";

export type AuthenticateOperator = (header: string | undefined) => Promise<{ name: string }>;

const missing = "Send the operator token in the header Authorization: Bearer op_…";

/** The operator's door. Without a configured token it stays shut. */
export function createOperatorAuthenticator(token: string | undefined): AuthenticateOperator {
  if (token === "") throw new Error("the operator token is empty");
  const expected = token === undefined ? undefined : digestOf(token);
  return async (header) => {
    const given = digestOf(readBearer(header, missing));
    // Digests have one length and are compared in constant time: how long the answer takes tells nothing.
    if (expected === undefined || !timingSafeEqual(given, expected)) {
      throw unauthorized("invalid_key", { message: "This path takes the operator token, not a secret key." });
    }
    return { name: "operator" };
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
