/** Names requests. A random word for the process and a running number: unique, short, and cheaper than a UUID each. */
import { randomBytes } from "node:crypto";

const processName = randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0");
let count = 0;

const harmless = /^[\w.:-]{1,128}$/;

/** The caller's own id is kept when it is harmless, so that their logs and ours can be joined. */
export function nameRequest(given?: string | string[]): string {
  if (typeof given === "string" && harmless.test(given)) return given;
  count += 1;
  return `req_${processName}${count.toString(36)}`;
}
