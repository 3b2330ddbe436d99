import type { EnvironmentKind } from "../../platform/database/database.ts";

/**
 * Where a browser is sent when a hosted page is done. The merchant gives the address; what became of it all is added to
 * its query for the shop's page to show. It proves nothing: anybody can type it, so the merchant asks the API.
 */

const longestAddress = 2_048;

export type AddressVerdict = { readonly url: string } | { readonly refusal: string };

/** https only; a sandbox may also return to plain http on the machine at hand. */
export function readReturnAddress(text: string, kind: EnvironmentKind): AddressVerdict {
  // The parser would quietly drop or turn these, and the customer would go elsewhere than was written.
  if (/[\s\\]|\p{Cc}/u.test(text)) return { refusal: "must not contain spaces, control characters or backslashes" };
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) {
    return { refusal: "must be an absolute address, such as https://shop.example.com/orders/1042" };
  }
  if (url.username !== "" || url.password !== "") return { refusal: "must not contain a user name or password" };
  if (url.protocol !== "https:" && !(kind === "SANDBOX" && isThisMachine(url.hostname))) {
    const exception = kind === "SANDBOX" ? " (or http://localhost in a sandbox)" : "";
    return { refusal: `must begin with https://${exception}` };
  }
  if (url.href.length > longestAddress) return { refusal: `must have at most ${longestAddress} characters` };
  return { url: url.href };
}

/** Any notation of 127.0.0.0/8 comes out of the parser as four numbers. */
function isThisMachine(hostname: string): boolean {
  const loopback = hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]";
  return loopback || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Adds what happened to the query; what the merchant put there stays as it was written. */
export function withOutcome(address: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  const added = new URLSearchParams(outcome).toString();
  url.search = url.search === "" ? added : `${url.search}&${added}`;
  return url.href;
}
