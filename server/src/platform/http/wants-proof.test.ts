import { expect, test } from "vitest";
import { wantsProof } from "./wants-proof.ts";

test.each([
  ["a read", { method: "GET" }, "LIVE", false],
  ["a write where money is real", { method: "POST" }, "LIVE", true],
  ["the same in a sandbox", { method: "POST" }, "SANDBOX", false],
  ["a change to people, or an operator's", { method: "DELETE" }, null, true],
  ["a write that says it needs none", { method: "POST", withoutProof: true }, "LIVE", false],
  ["an operator's that says so", { method: "POST", withoutProof: true }, null, false],
] as const)("%s", (_, route, kind, expected) => {
  expect(wantsProof(route, kind)).toBe(expected);
});
