import { expect, test } from "vitest";
import { keyState } from "./keys-page.tsx";

test.each([
  [null, null, "active"],
  [null, "next", "rotated"],
  ["2026-11-16T18:45:31.284Z", null, "revoked"],
  ["2026-11-16T18:45:31.284Z", "next", "revoked"],
])("revoked at %s and replaced by %s is %s", (revokedAt, replacedBy, state) => {
  expect(keyState({ revokedAt, replacedBy })).toBe(state);
});
