import { describe, expect, test } from "vitest";
import { type Block, isAddressAllowed, parseBlock } from "./address-blocks.ts";

function blocks(...entries: string[]): Block[] {
  return entries.map((entry) => {
    const block = parseBlock(entry);
    if (block === undefined) throw new Error(`${entry} was not read`);
    return block;
  });
}

describe("an entry that is no address or block is refused", () => {
  test.each([
    "",
    "203.0.113",
    "203.0.113.256",
    "0x7f.0.0.1",
    "010.0.0.1",
    "203.0.113.0/33",
    "203.0.113.0/",
    "203.0.113.0/-1",
    "203.0.113.0/024",
    "203.0.113.0/24/1",
    "2001:db8::/129",
    "fe80::1%eth0",
    "example.com",
    "*",
    "203.0.113.7 ",
  ])("%j", (entry) => expect(parseBlock(entry)).toBeUndefined());
});

test.each([
  { allowed: ["203.0.113.7"], address: "203.0.113.7", expected: true },
  { allowed: ["203.0.113.7"], address: "203.0.113.8", expected: false },
  { allowed: ["203.0.113.0/24"], address: "203.0.113.255", expected: true },
  { allowed: ["203.0.113.0/24"], address: "203.0.114.0", expected: false },
  { allowed: ["203.0.113.0/24"], address: "::ffff:203.0.113.9", expected: true },
  { allowed: ["::ffff:203.0.113.7"], address: "203.0.113.7", expected: true },
  { allowed: ["::ffff:203.0.113.0/120"], address: "203.0.113.9", expected: true },
  { allowed: ["::ffff:203.0.113.0/120"], address: "203.0.114.9", expected: false },
  { allowed: ["2001:db8::/32"], address: "2001:db8:1::1", expected: true },
  { allowed: ["2001:db8::/32"], address: "2001:db9::1", expected: false },
  { allowed: ["2001:db8::1"], address: "2001:0db8:0:0:0:0:0:1", expected: true },
  { allowed: ["0.0.0.0/0"], address: "2001:db8::1", expected: false },
  { allowed: ["::/0"], address: "198.51.100.1", expected: false },
  { allowed: ["10.0.0.0/8", "fe80::/10"], address: "fe80::1%eth0", expected: true },
  { allowed: ["10.0.0.0/8"], address: "unix:", expected: false },
  { allowed: ["10.0.0.0/8"], address: "", expected: false },
])("$address against $allowed: $expected", ({ allowed, address, expected }) => {
  expect(isAddressAllowed(blocks(...allowed), address)).toBe(expected);
});

test("an empty list lets everybody in", () => expect(isAddressAllowed([], "198.51.100.1")).toBe(true));
