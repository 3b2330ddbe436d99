/**
 * Opens connections to endpoints, and only to addresses that the policy lets pass. A filter on name resolution alone
 * would let literals through, and a check before connecting would leave a gap in which a name can be turned to another
 * address. So the three places are guarded where they are used: the literal, every address that the very look-up gives
 * which the socket then connects to, and the address that the socket ended up with, before a single byte is sent.
 */
import { promises as dns, type LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { isReachable, type ReachPolicy } from "../endpoints/reachable-address.ts";
import { refusalOfTarget } from "../endpoints/webhook-url.ts";

export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
}

export interface SafeConnectorOptions {
  readonly policy: ReachPolicy;
  readonly timeoutMs: number;
  readonly resolve?: ResolveHost;
  /** Further authorities to trust, for tests. */
  readonly ca?: string;
}

export function createSafeConnector(options: SafeConnectorOptions): buildConnector.connector {
  const { policy, timeoutMs: timeout, ca } = options;
  const lookup = vettedLookup(policy, options.resolve ?? resolveHost);
  const open = buildConnector({ timeout, lookup });
  const secure = buildConnector({ timeout, ...(ca === undefined ? {} : { ca }) });
  return (target, callback) => {
    const https = target.protocol === "https:";
    const port = target.port || (https ? "443" : "80");
    const refusal = refusalOfTarget(policy, target.protocol, target.hostname, Number(port));
    if (refusal !== undefined) return callback(new AddressRefusedError(`The address ${refusal}.`), null);
    open({ ...target, protocol: "http:", port }, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (!isVetted(policy, socket)) return callback(refused(socket.remoteAddress), null);
      if (https) secure({ ...target, port, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  };
}

function isVetted(policy: ReachPolicy, socket: Socket): boolean {
  if (isReachable(policy, socket.remoteAddress ?? "")) return true;
  socket.destroy();
  return false;
}

/** One bad address among good ones refuses the name: an honest name has none. */
function vettedLookup(policy: ReachPolicy, resolve: ResolveHost): LookupFunction {
  return (hostname, lookup, callback) => {
    const answer = (addresses: readonly LookupAddress[]): void => {
      const [first] = addresses;
      const bad = addresses.find(({ address }) => !isReachable(policy, address));
      if (first === undefined) callback(new Error(`${hostname} has no address`), []);
      else if (bad !== undefined) callback(refused(bad.address), []);
      else if (lookup.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(answer, (error: NodeJS.ErrnoException) => callback(error, []));
  };
}

function refused(address: string | undefined): AddressRefusedError {
  return new AddressRefusedError(`The host leads to ${address ?? "no address"}, which webhooks may not be sent to.`);
}

/**
 * Finds the addresses of a host. The system's own look-up blocks one of a few threads for as long as a name server
 * keeps it waiting, so that some slow names would hold up every other endpoint: names are asked for without threads
 * first, and the system (which also knows the hosts file) only where that quickly found nothing.
 */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
const timedOut = new Set(["ETIMEOUT", "ETIMEDOUT", "ECANCELLED"]);

const resolveHost: ResolveHost = async (hostname) => {
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
