import { expect, test } from "vitest";
import { spanOf } from "./clock.ts";

test.each([
  ["90s", { seconds: 90 }],
  ["45m", { seconds: 2_700 }],
  ["12h", { seconds: 43_200 }],
  ["30d", { seconds: 2_592_000 }],
  ["next", { until: "next_due" }],
])("%s is a span of time", (text, span) => {
  expect(spanOf(text)).toEqual(span);
});

test.each(["", "soon", "3", "d", "1.5d", "-1d", "1w", "9999999s"])("%s is none", (text) => {
  expect(() => spanOf(text)).toThrow("Write 30d, 12h, 45m, 90s, or next.");
});
