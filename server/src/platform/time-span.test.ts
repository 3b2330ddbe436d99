import { expect, test } from "vitest";
import { parseSpan } from "./time-span.ts";

test("a moment is taken as it is", () => {
  const span = parseSpan({ from: "2026-11-01T08:00:00+01:00", to: "2026-11-01T09:00:00.500Z" });
  expect(span.from?.toISOString()).toBe("2026-11-01T07:00:00.000Z");
  expect(span.to?.toISOString()).toBe("2026-11-01T09:00:00.500Z");
});

test("a date is the whole day in Lagos", () => {
  const span = parseSpan({ from: "2026-11-01", to: "2026-11-01" });
  expect(span.from?.toISOString()).toBe("2026-10-31T23:00:00.000Z");
  expect(span.to?.toISOString()).toBe("2026-11-01T23:00:00.000Z");
});

test("without bounds the span has none", () => {
  expect(parseSpan({})).toEqual({ from: null, to: null });
});

test.each([
  [{ from: "yesterday" }, ["from"]],
  [{ to: "2026-02-30" }, ["to"]],
  [{ from: "2026-11-01T08:00:00", to: "x" }, ["from", "to"]],
  [{ from: "2026-11-02", to: "2026-11-01T00:00:00Z" }, ["to"]],
  [{ from: "+123456-01-01T00:00:00Z" }, ["from"]],
])("%j is refused naming %j", (query, fields) => {
  let caught: unknown;
  try {
    parseSpan(query);
  } catch (error) {
    caught = error;
  }
  expect(caught).toMatchObject({ code: "validation_failed", errors: fields.map((field) => ({ field })) });
});
