import { unauthorized } from "./errors.ts";

const bearer = /^Bearer +(\S+) *$/i;

/** The token of an Authorization header, or the refusal that fits. */
export function readBearer(header: string | undefined): string {
  if (header === undefined || header.trim() === "") throw unauthorized("missing_key");
  const token = bearer.exec(header)?.[1];
  if (token === undefined) throw unauthorized("invalid_key");
  return token;
}
