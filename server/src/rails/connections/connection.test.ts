import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { canMove, connectionTransitions, hasPassed, isTrustedAddress } from "./connection.ts";

test("the states are those that the database allows, and a retired connection stays retired", () => {
  const migration = readFileSync(new URL("../../../migrations/0006-rails.sql", import.meta.url), "utf8");
  const [, listed = ""] = /state text not null check \(state in \(([^)]*)\)\)/.exec(migration) ?? [];
  const states = listed.split(",").map((word) => word.trim().replaceAll("'", ""));
  expect(Object.keys(connectionTransitions).toSorted()).toEqual(states.toSorted());
  expect(canMove("active", "paused")).toBe(true);
  expect(canMove("paused", "active")).toBe(true);
  for (const to of ["active", "paused"] as const) expect(canMove("retired", to)).toBe(false);
});

test("a warning does not stand in the way, a failure does", () => {
  const check = (result: "ok" | "warning" | "failed") => ({ name: "n", result, message: "m" });
  expect(hasPassed([])).toBe(true);
  expect(hasPassed([check("ok"), check("warning")])).toBe(true);
  expect(hasPassed([check("ok"), check("failed")])).toBe(false);
});

test.each([
  ["https://api.paystack.co", true],
  ["https://proxy.example.com:8443/paystack", true],
  ["http://127.0.0.1:4100", true],
  ["http://localhost:4100", true],
  ["http://[::1]:4100", true],
  ["http://api.paystack.co", false],
  ["http://127.0.0.1.example.com", false],
  ["http://localhost.example.com", false],
  ["http://0.0.0.0:4100", false],
  ["https://key@api.paystack.co", false],
  ["https://user:key@api.paystack.co", false],
  ["https://api.paystack.co?x=1", false],
  ["https://api.paystack.co#x", false],
  ["ftp://api.paystack.co", false],
  ["file:///etc/passwd", false],
  ["javascript:alert(1)", false],
  ["api.paystack.co", false],
  ["", false],
])("%j is trusted: %s", (address, trusted) => {
  expect(isTrustedAddress(address)).toBe(trusted);
});
