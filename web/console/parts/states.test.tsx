import { expect, test } from "vitest";
import { ApiProblem } from "../../shared/call-api.ts";
import { shownText } from "../../shared/shown-text.ts";
import { countText } from "../list/record-list.tsx";
import { advice, Empty, Failure } from "./states.tsx";
import { StatusChip, toneOf } from "./status-chip.tsx";

const refusal = { code: "scope_missing", message: "The key lacks a scope.", errors: [], data: {}, waitSeconds: null };

test("a refusal is shown in the server's words, with what to do, its code and the request", () => {
  const text = shownText(<Failure error={new ApiProblem({ ...refusal, status: 403, requestId: "req_1" })} />);
  expect(text).toContain("The key lacks a scope.");
  expect(text).toContain("Ask an owner of the merchant to change it.");
  expect(text).toContain("scope_missing · req_1");
});

test("a mistake of the page itself says so, and nothing about servers", () => {
  const text = shownText(<Failure error={new TypeError("x is undefined")} />);
  expect(text).toContain("This page has a mistake.");
  expect(text).not.toContain("undefined");
});

test.each([403, 404, 429, 0, 500, 503, 422])("status %i has an advice of its own kind", (status) => {
  expect(advice(status)).toMatch(/^[A-Z].*\.$/);
});

test("an empty list teaches the line that fills it", () => {
  const text = shownText(
    <Empty title="No payouts yet" command="npx jara pay">
      A payout sends money.
    </Empty>,
  );
  expect(text).toContain("npx jara pay");
});

test.each([
  ["completed", "good", "Completed"],
  ["processing", "busy", "Processing"],
  ["written_off", "bad", "Written off"],
  ["overdue", "warn", "Overdue"],
  ["something_new", "quiet", "Something new"],
])("%s is told by tone %s and in words", (status, tone, text) => {
  expect(toneOf(status)).toBe(tone);
  expect(shownText(<StatusChip status={status} />)).toContain(text);
});

test.each([
  [200_000, 212_345, "The newest 200,000 of 212,345: filter to see others"],
  [3, 3, "3 in all"],
  [50, null, "Newest first"],
])("%i of %s rows are told as %s", (shown, total, text) => {
  expect(countText(shown, total)).toBe(text);
});
