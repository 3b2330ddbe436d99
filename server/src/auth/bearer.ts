import { bearerToken } from "../platform/http/guard.ts";
import { unauthorized } from "./errors.ts";

/** Never repeats what was sent: it may be a key. */
const form =
  "Write the header as Authorization: Bearer, one space, and the key. The word Bearer is missing or misplaced.";

/** The token of an Authorization header, or the refusal that fits. `missing` says what to send instead of nothing. */
export function readBearer(header: string | undefined, missing?: string): string {
  if (header === undefined || header.trim() === "") {
    throw unauthorized("missing_key", missing === undefined ? {} : { message: missing });
  }
  const token = bearerToken(header);
  if (token === undefined) throw unauthorized("invalid_key", { message: form });
  return token;
}
