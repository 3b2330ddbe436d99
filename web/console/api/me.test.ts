import { expect, test } from "vitest";
import { firstPlace, type Me, placesOf } from "./me.ts";

const me: Me = {
  user: {
    id: "u",
    email: "ada@example.com",
    name: "Ada",
    hasPassword: true,
    twoFactorEnabled: false,
    recoveryCodesLeft: 0,
    hasPasskey: false,
  },
  merchants: [
    { id: "m1", name: "One", role: "owner", environments: [{ id: "live", kind: "LIVE", name: "Live" }] },
    { id: "m2", name: "Two", role: "viewer", environments: [{ id: "box", kind: "SANDBOX", name: "Sandbox" }] },
  ],
  operator: null,
  signedInAt: "2026-11-16T18:45:31.284Z",
  stepUpUntil: null,
  proofWays: [],
};

test.each([
  ["where the person was last", "live", "live"],
  ["a sandbox when that place is closed now", "gone", "box"],
  ["a sandbox at first", null, "box"],
])("a person starts %s", (_case, last, expected) => {
  expect(firstPlace(me, last)?.environment.id).toBe(expected);
});

test("a person without any merchant has no place", () => {
  expect(firstPlace({ ...me, merchants: [] }, "live")).toBeUndefined();
  expect(placesOf(me).map(({ environment }) => environment.id)).toEqual(["live", "box"]);
});
