/**
 * Reads the address of an endpoint. What can be seen from the text alone is refused here, when the endpoint is made or
 * changed; what a name resolves to is judged each time a connection is opened.
 */
import { isIP } from "node:net";
import { isAddressIn } from "../../platform/http/guard/address-blocks.ts";
import { isReachable, type ReachPolicy } from "./reachable-address.ts";

export const longestUrl = 2_048;

export type UrlVerdict = { readonly url: string } | { readonly refusal: string };

/** Returns the address in its normal form, in which every notation of an IP address looks the same. */
export function readWebhookUrl(text: string, policy: ReachPolicy): UrlVerdict {
  // The parser would quietly drop or turn these, and the merchant would not get what was written.
  if (/[\s\\]|\p{Cc}/u.test(text)) return { refusal: "must not contain spaces, control characters or backslashes" };
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:") || !/^https?:\/\//i.test(text)) {
    return { refusal: "must be an absolute http or https address, such as https://example.com/webhooks" };
  }
  const refusal = refusalOf(url, text, policy);
  if (refusal !== undefined) return { refusal };
  if (url.href.length > longestUrl) return { refusal: `must have at most ${longestUrl} characters` };
  return { url: url.href };
}

function refusalOf(url: URL, text: string, policy: ReachPolicy): string | undefined {
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return "must not contain a user name or password; verify the signature instead";
  }
  if (text.includes("#")) return "must not contain a fragment (#…): it is never sent";
  return refusalOfTarget(policy, url.protocol, bareHost(url.hostname), portOf(url));
}

/** Asked again for each connection, so that a change of the rules also binds endpoints that exist. */
export function refusalOfTarget(policy: ReachPolicy, protocol: string, host: string, port: number): string | undefined {
  if (policy.kind === "LIVE" && protocol !== "https:") return "must begin with https:// in a live environment";
  if (policy.ports !== null && !policy.ports.includes(port)) {
    return `must use port ${policy.ports.join(" or ")} in a live environment`;
  }
  return isIP(host) === 0 ? refusalOfName(policy, host) : refusalOfLiteral(policy, host);
}

function refusalOfLiteral(policy: ReachPolicy, address: string): string | undefined {
  if (!isReachable(policy, address)) return notPublic;
  // A certificate is for a name; an address alone cannot show whom it belongs to.
  const opened = policy.kind === "SANDBOX" || isAddressIn(policy.allowed, address);
  return opened ? undefined : "must name a host, not an IP address, in a live environment";
}

const notPublic = "must not point to a private, local or otherwise special address";

const localNames = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

function refusalOfName(policy: ReachPolicy, host: string): string | undefined {
  const name = host.replace(/\.$/, "").toLowerCase();
  if (name === "") return "must name a host";
  // Where something inner is open, inner names may be meant; their addresses are judged all the same.
  if (policy.allowed.length > 0) return undefined;
  return localNames.test(name) || !name.includes(".") ? "must name a public host" : undefined;
}

/** Without the brackets of version 6. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
