import { Type } from "typebox";
import { expect, test } from "vitest";
import { compileFind } from "../http/request/validation.ts";
import { parseMoment, parseSpan, spanFields } from "./time-span.ts";

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

test.each(["yesterday", "2026-02-30", "2026-11-01T08:00:00", "+123456-01-01T00:00:00Z", ""])(
  "%j is no moment, so the schema refuses it",
  (text) => {
    expect(parseMoment(text)).toBeUndefined();
    const find = compileFind(Type.Object(spanFields), "query");
    expect(find({ from: text, to: text }).map(({ field }) => field)).toEqual(["from", "to"]);
  },
);

test("a span that ends before it begins is refused", () => {
  const backwards = () => parseSpan({ from: "2026-11-02", to: "2026-11-01T00:00:00Z" });
  expect(backwards).toThrow(
    expect.objectContaining({ code: "validation_failed", errors: [expect.objectContaining({ field: "to" })] }),
  );
});
