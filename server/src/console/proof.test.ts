import fc from "fast-check";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { messageOf } from "../platform/problem.ts";
import { newRecoveryCodes, newSecret, otpAddress, recoveryHash, stepOf } from "./authenticator.ts";
import { consoleProblems, notSignedIn } from "./errors.ts";
import { isProven, proofWaysOf, provenUntil } from "./proof.ts";
import { merchantRoles, operatorMay, operatorRoles, scopesOf } from "./roles.ts";

const provenAt = new Date("2026-11-02T08:00:00.000Z");
const minute = 60_000;

describe("a proof", () => {
  test.each([
    [0, true],
    [10 * minute - 1, true],
    [10 * minute, false],
    [60 * minute, false],
  ])("counts %i ms after it was given: %s", (ms, proven) => {
    expect(isProven({ provenAt }, provenAt.getTime() + ms)).toBe(proven);
  });

  test("ends at one moment for everybody who asks", () => {
    expect(provenUntil({ provenAt }).toISOString()).toBe("2026-11-02T08:10:00.000Z");
  });

  test.each([
    [{ hasPassword: true, twoFactorEnabled: false, hasPasskey: false }, ["password"]],
    [{ hasPassword: true, twoFactorEnabled: true, hasPasskey: false }, ["code"]],
    [{ hasPassword: true, twoFactorEnabled: false, hasPasskey: true }, ["passkey", "password"]],
    [{ hasPassword: true, twoFactorEnabled: true, hasPasskey: true }, ["passkey", "code"]],
    [{ hasPassword: false, twoFactorEnabled: false, hasPasskey: true }, ["passkey"]],
    [{ hasPassword: false, twoFactorEnabled: true, hasPasskey: false }, ["code"]],
    [{ hasPassword: false, twoFactorEnabled: false, hasPasskey: false }, []],
  ])("of a person with %j is %j: a password alone is not enough where an app is on", (ways, proofs) => {
    expect(proofWaysOf(ways)).toEqual(proofs);
  });
});

describe("a code of an authenticator app", () => {
  const secret = newSecret();
  const now = Date.parse("2026-11-02T08:00:10.000Z");
  const codeAt = (ms: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });
  const step = Math.floor(now / 30_000);

  test.each([
    [0, 0],
    [-30_000, -1],
    [30_000, 1],
  ])("of %i ms away is of step %i", (away, distance) => {
    expect(stepOf(secret, codeAt(now + away), now)).toBe(step + distance);
  });

  test.each([-90_000, -60_000, 60_000, 90_000])("of %i ms away is too old or too new", (away) => {
    expect(stepOf(secret, codeAt(now + away), now)).toBeUndefined();
  });

  test.each(["", "12345", "1234567", "12345a", " 123456", "１２３４５６"])("is not %j", (code) => {
    expect(stepOf(secret, code, now)).toBeUndefined();
  });

  test("of another secret opens nothing", () => {
    const other = new TOTP({ secret: Secret.fromBase32(newSecret()) }).generate({ timestamp: now });
    fc.pre(other !== codeAt(now));
    expect(stepOf(secret, other, now)).not.toBe(step);
  });

  test("comes from a secret that is drawn anew each time, and whose address names the person", () => {
    expect(new Set(Array.from({ length: 50 }, newSecret)).size).toBe(50);
    const address = new URL(otpAddress(secret, "ada@example.com"));
    expect([address.protocol, address.searchParams.get("issuer")]).toEqual(["otpauth:", "Jara"]);
    expect(address.searchParams.get("secret")).toBe(secret);
  });
});

describe("recovery codes", () => {
  const codes = newRecoveryCodes();

  test("are ten, all different, in groups that can be written down", () => {
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
  });

  test("are the same however they are typed, and kept as hashes only", () => {
    const [code = ""] = codes;
    const hash = recoveryHash(code);
    expect(recoveryHash(code.toUpperCase())).toEqual(hash);
    expect(recoveryHash(code.replaceAll("-", ""))).toEqual(hash);
    expect(recoveryHash(` ${code.replaceAll("-", " ")} `)).toEqual(hash);
    expect(hash).toHaveLength(32);
    expect(recoveryHash(codes[1] ?? "")).not.toEqual(hash);
  });

  test.each(["", "abcd", "abcd-efgh-ijkl-mno", "abcd-efgh-ijkl-mnop-q", "abcd-efgh-ijkl-mno1", "abcd-efgh-ijkl-mno!"])(
    "are not %j",
    (typed) => {
      expect(recoveryHash(typed)).toBeUndefined();
    },
  );
});

describe("roles", () => {
  const resources = ["transfers", "bills", "wallets", "webhooks", "keys", "gift-cards"];

  test("all read everything, also what a slice brings that nobody has thought of", () => {
    for (const role of merchantRoles.filter((name) => name !== "owner")) {
      for (const name of resources) expect(scopesOf(role, resources)).toContain(`${name}:read`);
      expect(scopesOf(role, resources)).not.toContain("gift-cards:write");
      expect(scopesOf(role, resources)).not.toContain("*");
    }
    expect(scopesOf("owner", resources)).toEqual(["*"]);
  });

  test("that only look write nothing", () => {
    expect(scopesOf("viewer", resources).filter((scope) => scope.endsWith(":write"))).toEqual([]);
  });

  test("of an operator change nothing that their list does not name, by whatever method", () => {
    const paths = [
      "/operator/wallets/{id}/credit",
      "/operator/connections",
      "/operator/people",
      "/operator/lender/funds",
    ];
    for (const role of operatorRoles.filter((name) => name !== "admin")) {
      for (const path of paths) {
        for (const method of ["POST", "PUT", "PATCH", "DELETE"])
          expect(operatorMay(role, { method, path })).toBe(false);
        expect(operatorMay(role, { method: "GET", path })).toBe(true);
      }
    }
    expect(operatorMay("admin", { method: "POST", path: "/operator/wallets/{id}/credit" })).toBe(true);
    expect(operatorMay("support", { method: "PUT", path: "/operator/customers/{id}/kyc" })).toBe(false);
  });
});

test("a person who is not signed in is told so in HTTP's own way, with the code of each door", () => {
  for (const code of [
    "not_signed_in",
    "sign_in_wrong",
    "code_needed",
    "passkey_wrong",
    "sign_in_link_invalid",
  ] as const) {
    expect(notSignedIn(code)).toMatchObject({ code, status: 401, headers: { "WWW-Authenticate": "Session" } });
  }
  // Whether an address is known is told to nobody: both wrong halves have one sentence.
  expect(messageOf(consoleProblems.sign_in_wrong)).toBe("E-mail and password do not belong together. Check both.");
});
