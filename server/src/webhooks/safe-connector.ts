/**
 * Opens connections to endpoints, and only to addresses that the policy lets pass. A filter on name resolution alone
 * would let literals through, and a check before connecting would leave a gap in which a name can be turned to another
 * address. So the three places are guarded where they are used: the literal, every address that the very look-up gives
 * which the socket then connects to, and the address that the socket ended up with, before a single byte is sent.
 */
import type { LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { buildConnector } from "undici";
import { isReachable, type ReachPolicy } from "./reachable-address.ts";
import { type ResolveHost, resolveHost } from "./resolve-host.ts";
import { refusalOfTarget } from "./webhook-url.ts";

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
