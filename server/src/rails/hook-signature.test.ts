import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSigned } from "./hook-signature.ts";

const key = "sk_test_a1b2";
const body = Buffer.from('{"event":"transfer.success","data":{"amount":250000}}');
const sign = (bytes: Buffer, under = key, hash = "sha512") => createHmac(hash, under).update(bytes).digest("hex");

describe("a webhook's signature", () => {
  test("is the HMAC-SHA512 of the body under our key, in letters of either size", () => {
    expect(isSigned(key, body, sign(body))).toBe(true);
    expect(isSigned(key, body, sign(body).toUpperCase())).toBe(true);
  });

  test("counts for an empty body too", () => {
    const nothing = Buffer.alloc(0);
    expect(isSigned(key, nothing, sign(nothing))).toBe(true);
    expect(isSigned(key, nothing, sign(body))).toBe(false);
  });

  test.each<[string, string | undefined]>([
    ["is missing", undefined],
    ["is empty", ""],
    ["is a word", "true"],
    ["is cut short", sign(body).slice(0, 126)],
    ["is longer", `${sign(body)}00`],
    ["has a blank around it", ` ${sign(body)}`],
    ["ends with a new line", `${sign(body)}\n`],
    ["comes twice", `${sign(body)}, ${sign(body)}`],
    ["is of another body", sign(Buffer.from("{}"))],
    ["is made with another key", sign(body, "sk_test_other")],
    ["is made with another hash", sign(body, key, "sha256")],
    ["is base64", createHmac("sha512", key).update(body).digest("base64")],
    ["is not hexadecimal", "z".repeat(128)],
    ["is all zeros", "0".repeat(128)],
  ])("that %s is refused", (_, signature) => {
    expect(isSigned(key, body, signature)).toBe(false);
  });

  test("under an empty key is refused: anybody could make it", () => {
    expect(isSigned("", body, sign(body, ""))).toBe(false);
  });

  test("is refused after a change of any bit of the body", () => {
    const signature = sign(body);
    fc.assert(
      fc.property(fc.nat({ max: body.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(body);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(isSigned(key, changed, signature)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  test("is of the bytes as they arrived, not of what they mean", () => {
    const spaced = Buffer.from(JSON.stringify(JSON.parse(body.toString("utf8")), null, 2));
    expect(isSigned(key, spaced, sign(body))).toBe(false);
  });
});
