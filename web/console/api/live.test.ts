import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { gather } from "./live.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("many events of one moment make the page look again once", () => {
  const act = vi.fn();
  const { ask } = gather(act, 400);
  for (let event = 0; event < 50; event += 1) ask();
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledTimes(1);
});

test("events that go on make it look again at each step, not only at their end", () => {
  const act = vi.fn();
  const { ask } = gather(act, 400);
  for (let passed = 0; passed < 2_000; passed += 100) {
    ask();
    vi.advanceTimersByTime(100);
  }
  expect(act.mock.calls.length).toBeGreaterThanOrEqual(4);
});

test("a page that was left looks no more", () => {
  const act = vi.fn();
  const { ask, cancel } = gather(act, 400);
  ask();
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(act).not.toHaveBeenCalled();
});
