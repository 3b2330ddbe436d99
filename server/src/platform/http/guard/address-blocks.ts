/**
 * Addresses and blocks of them (CIDR), version 4 and 6: from where a key may be used, where webhooks may go. A version
 * 4 address that arrives in its version 6 clothing (`::ffff:203.0.113.7`, as a dual-stack socket shows it) counts as
 * what it is.
 */
import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.process>;
export type Block = readonly [Address, number];

/** The block that an entry stands for, or undefined when it is neither an address nor a block. */
export function parseBlock(entry: string): Block | undefined {
  const [text = "", bits, ...rest] = entry.split("/");
  if (rest.length > 0 || !isAddress(text)) return undefined;
  const written = ipaddr.parse(text);
  const width = written.kind() === "ipv4" ? 32 : 128;
  const length = bits === undefined ? width : parseLength(bits, width);
  if (length === undefined) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === written.kind()) return [address, length];
  // ::ffff:203.0.113.0/120 is 203.0.113.0/24; a shorter one would take in more than version 4 addresses.
  return length >= 96 ? [address, length - 96] : [written, length];
}

/** An empty list lets every address in. */
export function isAddressAllowed(blocks: readonly Block[], address: string): boolean {
  return blocks.length === 0 || isAddressIn(blocks, address);
}

export function isAddressIn(blocks: readonly Block[], address: string): boolean {
  // A zone (fe80::1%eth0) names an interface of ours, not the caller.
  const text = address.split("%")[0] ?? "";
  if (!isAddress(text)) return false;
  const caller = ipaddr.process(text);
  return blocks.some(([range, bits]) => range.kind() === caller.kind() && caller.match(range, bits));
}

const ownNetwork = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
]
  .map(parseBlock)
  .filter((block) => block !== undefined);

/** Not of the internet: this machine, or a network that the operator has. */
export function isOfOwnNetwork(address: string): boolean {
  return isAddressIn(ownNetwork, address);
}

/** Version 4 in its usual four decimal parts only: 010.1 and 0x7f.1 mean different things to different programs. */
function isAddress(text: string): boolean {
  return text.includes(":")
    ? ipaddr.IPv6.isValid(text) && !text.includes("%")
    : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function parseLength(bits: string, width: number): number | undefined {
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  const length = Number(bits);
  return length <= width ? length : undefined;
}
