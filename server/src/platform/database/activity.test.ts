import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";
import { becauseOf, inBackground } from "./cause.ts";

test("others are at work while they have a transaction under way, and for a moment after it", () => {
  let now = 0;
  const activity = createActivity(() => now);
  expect(activity.othersThan("a")).toBe(false);
  const [endOwn, endOther] = [activity.begin("a"), activity.begin("b")];
  expect(activity.othersThan("a")).toBe(true);
  endOther();
  now = 20;
  expect(activity.othersThan("a")).toBe(true);
  now = 40;
  expect(activity.othersThan("a")).toBe(false);
  expect(activity.othersThan("b")).toBe(true);
  endOwn();
  now = 80;
  expect(activity.othersThan("b")).toBe(false);
});

test("a task of a moved clock is long work itself and does not count; a worker's job does", () => {
  const activity = createActivity();
  const end = becauseOf("task", () => activity.begin("b"));
  expect(activity.othersThan("a")).toBe(false);
  end();
  inBackground(() => activity.begin("b"));
  expect(activity.othersThan("a")).toBe(true);
});
