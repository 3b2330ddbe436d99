/** Every way we know to write an address so that a careless check does not recognise it. */
const octets = (address: string): number[] => address.split(".").map(Number);
const asNumber = (address: string): number => octets(address).reduce((sum, octet) => sum * 256 + octet, 0);
const hex = (value: number, width = 0): string => value.toString(16).padStart(width, "0");
const octal = (value: number): string => `0${value.toString(8)}`;

/** Digits that are normalised to ordinary ones: 1 becomes １ or ①. */
const dressed = (text: string, zero: number): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Notations of a version 4 address as the host of an address on the web. */
export function version4Notations(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  const all = asNumber(address);
  return [
    address,
    `${address}.`,
    String(all),
    `0x${hex(all)}`,
    `0X${hex(all, 8).toUpperCase()}`,
    octal(all),
    [a, b, c, d].map(octal).join("."),
    [a, b, c, d].map((octet) => `0x${hex(octet)}`).join("."),
    [a, b, c, d].map((octet) => `0${octal(octet)}`).join("."),
    `0x${hex(a)}.${octal(b)}.${c}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `0x${hex(a)}.${b * 65_536 + c * 256 + d}`,
    address.replaceAll(".", "%2e"),
    address.replaceAll(".", "。"),
    address.replaceAll(".", "．"),
    dressed(address, 0xff10),
    address.replace(/\d/, (digit) => encodeURIComponent(digit).replace(/^\d$/, `%3${digit}`)),
    ...version6Clothing(address),
  ];
}

/** Version 6 addresses that carry a version 4 one: mapped, compatible, translated, NAT64, 6to4, Teredo. */
function version6Clothing(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = octets(address);
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)];
  return [
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${address}]`,
    `[::ffff:0:${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${hex(65_535 - (a * 256 + b))}:${hex(65_535 - (c * 256 + d))}]`,
  ];
}

/** Version 4 addresses that nobody outside may be led to. */
export const forbidden4 = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "192.88.99.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
] as const;

export const forbidden6 = [
  "::",
  "::1",
  "0:0:0:0:0:0:0:1",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "ff0e::1",
  "2001:db8::1",
  "3fff::1",
  "2001::1",
  "2001:10::1",
  "2001:20::1",
  "2001:2::1",
  "2002:7f00:1::",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "5f00::1",
  "::ffff:8.8.8.8",
  "::8.8.8.8",
  "4000::1",
] as const;
