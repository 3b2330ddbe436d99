import { expect, test } from "vitest";
import { readBody, toneOfReply } from "./request.ts";

test("a body is read as JSON, and what was cut off stays as it came", () => {
  expect(readBody('{"amount":2500}')).toEqual({ amount: 2500 });
  expect(readBody('{"amount":25')).toBe('{"amount":25');
});

test.each([
  [201, "good"],
  [304, "good"],
  [422, "warn"],
  [503, "bad"],
] as const)("%s looks %s", (status, tone) => {
  expect(toneOfReply(status)).toBe(tone);
});
