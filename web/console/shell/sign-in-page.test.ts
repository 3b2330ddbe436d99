import { expect, test } from "vitest";
import { safePath } from "./sign-in-page.tsx";

test.each([
  ["/e/01930b6e/transfers?status=failed", "/e/01930b6e/transfers?status=failed"],
  ["/e", "/e"],
  ["/join?token=abc", "/join?token=abc"],
  [undefined, "/"],
  ["//evil.example", "/"],
  ["https://evil.example/e/1", "/"],
  ["/elsewhere", "/"],
  ["/sign-in", "/"],
])("after signing in, %s leads to %s", (to, expected) => {
  expect(safePath(to)).toBe(expected);
});
