/**
 * Where a webhook may go. The address of an endpoint is chosen by a merchant, and a request to it leaves from inside
 * the operator's network: what is not public must not be reached through us, however the address is written and
 * whatever a name resolves to. Only addresses of the public internet pass; the special blocks are those of the IANA
 * registries, and of clouds whose inner services hide behind a public-looking address.
 *
 * On a laptop a sandbox may also reach the machine itself, where the integrator's program runs. In production that
 * machine is the operator's, and a sandbox's merchant a stranger: there the operator has to allow it. An operator can
 * open further blocks, for receivers in a network of its own.
 */

import { isIP } from "node:net";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type Block, isAddressIn, parseBlock } from "../../platform/http/guard/address-blocks.ts";

/** What the operator decided for the whole server. */
export interface WebhookReach {
  /** Opened for every environment. */
  readonly blocks: readonly Block[];
  /** Whether sandboxes may reach this machine itself. */
  readonly sandboxLoopback: boolean;
}

export interface ReachPolicy {
  readonly kind: EnvironmentKind;
  /** Opened although they are not public. */
  readonly allowed: readonly Block[];
  /** Null where any port will do. */
  readonly ports: readonly number[] | null;
}

const loopback = blocksOf(["127.0.0.0/8", "::1"]);

const specialBlocks = blocksOf([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // A cloud's inner metadata and name service.
  "168.63.129.16",
  // IETF assignments, among them Teredo, benchmarking and ORCHID; documentation; 6to4; AS112; documentation.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
]);

/** All of version 6 that is given out for public use. NAT64, mapped, compatible and local addresses lie outside. */
const globalVersion6 = blocksOf(["2000::/3"]);

const livePorts = [443, 8443];

export function reachPolicyFor(kind: EnvironmentKind, { blocks, sandboxLoopback }: WebhookReach): ReachPolicy {
  const allowed = kind === "SANDBOX" && sandboxLoopback ? [...blocks, ...loopback] : blocks;
  return { kind, allowed, ports: kind === "LIVE" ? livePorts : null };
}

/** Judges an address as a socket or a resolver gives it. Whatever it cannot read is refused. */
export function isReachable(policy: ReachPolicy, address: string): boolean {
  const version = isIP(address);
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (version === 0 || address.includes("%")) return false;
  if (isAddressIn(policy.allowed, address)) return true;
  if (isAddressIn(specialBlocks, address)) return false;
  // A mapped address (::ffff:8.8.8.8) is matched as version 4 and so is not global here: its clothing alone refuses it.
  return version === 4 || isAddressIn(globalVersion6, address);
}

function blocksOf(entries: readonly string[]): readonly Block[] {
  return entries.map((entry) => {
    const block = parseBlock(entry);
    if (block === undefined) throw new Error(`not a block of addresses: ${entry}`);
    return block;
  });
}
