/**
 * Finds the addresses of a host. The system's own look-up blocks one of a few threads for as long as a name server
 * keeps it waiting, so that some slow names would hold up every other endpoint: names are asked for without threads
 * first, and the system (which also knows the hosts file) only where that quickly found nothing.
 */
import { promises as dns, type LookupAddress } from "node:dns";

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
const timedOut = new Set(["ETIMEOUT", "ETIMEDOUT", "ECANCELLED"]);

export const resolveHost: ResolveHost = async (hostname) => {
  if (isLocalName(hostname)) return dns.lookup(hostname, { all: true });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const [version4 = [], version6 = []] = answers.map((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const found = [
    ...version4.map((address) => ({ address, family: 4 })),
    ...version6.map((address) => ({ address, family: 6 })),
  ];
  if (found.length > 0) return found;
  const slow = answers.find((answer) => answer.status === "rejected" && timedOut.has(codeOf(answer.reason)));
  if (slow?.status === "rejected") throw slow.reason;
  return dns.lookup(hostname, { all: true });
};

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
