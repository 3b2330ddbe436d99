import { expect, test } from "vitest";
import { newRequestId } from "./bill-store.ts";

const id = "01998a4e-7b5a-7cde-8f01-23456789abcd";

test("a biller that takes any id gets the bill's own", () => {
  expect(newRequestId({ id, requestIds: "uuid" }, new Date("2026-11-16T08:00:00Z"))).toBe(id);
});

test.each([
  ["2026-11-16T08:05:59Z", "202611160905"],
  ["2026-12-31T22:59:59.999Z", "202612312359"],
  ["2026-12-31T23:00:00Z", "202701010000"],
])("at %s a biller that wants the minute in Lagos gets %s and the bill's digits", (now, minute) => {
  const requestId = newRequestId({ id, requestIds: "lagos_minute" }, new Date(now));
  expect(requestId).toBe(`${minute}01998a4e7b5a7cde8f0123456789abcd`);
});
