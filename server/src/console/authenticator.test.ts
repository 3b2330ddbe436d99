import { expect, test } from "vitest";
import { newRecoveryCodes, newSecret, otpAddress, recoveryHash, stepOf } from "./authenticator.ts";

// The secret of RFC 6238's test vectors, and the last six digits of its SHA-1 codes.
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1234567890, "005924"],
  [20000000000, "353130"],
])("at second %s the code is %s", (second, code) => {
  expect(stepOf(secret, code, second * 1000)).toBe(Math.floor(second / 30));
});

test("a clock may be off by one step, and no more", () => {
  const at = (steps: number) => stepOf(secret, "081804", (1111111109 + 30 * steps) * 1000);
  expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([undefined, 37037036, 37037036, 37037036, undefined]);
});

test.each(["08180", "0818044", "08 1804", "-81804", "08180a", "", "٠٨١٨٠٤"])("%j is not a code", (code) => {
  expect(stepOf(secret, code, 1111111109000)).toBeUndefined();
});

test("a secret has 160 bits, and its address is what apps scan", () => {
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(newSecret());
  expect(otpAddress(secret, "ada+till@example.com")).toBe(
    `otpauth://totp/Jara:ada%2Btill%40example.com?issuer=Jara&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});

test("recovery codes differ, and are known again however they were typed", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  const [code = ""] = codes;
  expect(recoveryHash(` ${code.toUpperCase().replaceAll("-", " ")} `)).toEqual(recoveryHash(code));
  expect(recoveryHash("123456")).toBeUndefined();
});
