import { expect, test } from "vitest";
import { keyState, listed } from "./key-list.tsx";

test.each([
  [null, null, "active"],
  [null, "next", "rotated"],
  ["2026-11-16T18:45:31.284Z", null, "revoked"],
  ["2026-11-16T18:45:31.284Z", "next", "revoked"],
])("revoked at %s and replaced by %s is %s", (revokedAt, replacedBy, state) => {
  expect(keyState({ revokedAt, replacedBy })).toBe(state);
});

test("scopes are typed with commas or spaces", () => {
  expect(listed("transfers:write, wallets:read  bills:read")).toEqual([
    "transfers:write",
    "wallets:read",
    "bills:read",
  ]);
  expect(listed(" * ")).toEqual(["*"]);
});
