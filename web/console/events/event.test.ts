import { expect, test } from "vitest";
import { asCurl, type Event, recordIdOf } from "./event.ts";

const event: Event = {
  id: "e1",
  event: "transfer.completed",
  created_at: "2026-11-16T18:45:31.284Z",
  resource_version: 3,
  data: { id: "t1", narration: 'Ada\'s $(rm) `x` "order"' },
};

test("the copied line gives a shell exactly the body, whatever a stranger wrote into it", () => {
  const line = asCurl(event, "https://example.com/hooks?a=1");
  expect(line).toContain("'https://example.com/hooks?a=1'");
  // Between single quotes a shell takes everything as it stands; a quote itself is written '\\''.
  const [, body = ""] = / -d '(.*)'$/s.exec(line) ?? [];
  expect(body.split(String.raw`'\''`).join("")).not.toContain("'");
  expect(JSON.parse(body.replaceAll(String.raw`'\''`, "'"))).toEqual(event);
});

test.each([
  ["a payout", { id: "t1" }, "t1"],
  ["a loan", { loan_request: { id: "l1" }, loan_details: {} }, "l1"],
  ["a batch", { batchId: "b1" }, "b1"],
  ["a test", {}, null],
])("%s is found behind its event", (_case, data, id) => {
  expect(recordIdOf({ ...event, data })).toBe(id);
});
