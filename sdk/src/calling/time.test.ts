/** Pauses and deadlines, by a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startDeadline } from "./deadline.ts";
import type { SignalLike } from "./fetching.ts";
import { pause } from "./pause.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A signal that tells how many listen to it. */
function countedSignal() {
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  const signal: SignalLike = {
    get aborted() {
      return controller.signal.aborted;
    },
    get reason() {
      return controller.signal.reason;
    },
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
  };
  const abort = (reason: unknown) => {
    controller.abort(reason);
    for (const listener of [...listeners]) listener();
  };
  return { signal, abort, listening: () => listeners.size };
}

describe("a pause", () => {
  test("lasts as long as it says", async () => {
    let isOver = false;
    const pausing = pause(1_000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await pausing;
    expect(isOver).toBe(true);
  });

  test("ends at once with the signal's reason, and leaves no timer behind", async () => {
    const { signal, abort, listening } = countedSignal();
    const pausing = pause(60_000, signal);
    const ended = expect(pausing).rejects.toThrow("enough");
    abort(new Error("enough"));
    await ended;
    expect([vi.getTimerCount(), listening()]).toEqual([0, 0]);
  });

  test("does not begin when the signal was aborted before", async () => {
    const { signal, abort } = countedSignal();
    abort(new Error("before"));
    await expect(pause(60_000, signal)).rejects.toThrow("before");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that has ended listens to nothing any more", async () => {
    const { signal, listening } = countedSignal();
    const pausing = pause(10, signal);
    expect(listening()).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
    await pausing;
    expect(listening()).toBe(0);
  });
});

describe("a deadline", () => {
  test("counts down, and fires once its time is over", async () => {
    const deadline = startDeadline(1_000, undefined);
    await vi.advanceTimersByTimeAsync(400);
    expect([deadline.leftMs(), deadline.isOver(), deadline.signal.aborted]).toEqual([600, false, false]);
    await vi.advanceTimersByTimeAsync(600);
    expect([deadline.leftMs(), deadline.isOver(), deadline.signal.aborted]).toEqual([0, true, true]);
    deadline.clear();
  });

  test("fires with the caller's reason when the caller gives up, and that is not its time", async () => {
    const { signal, abort } = countedSignal();
    const deadline = startDeadline(1_000, signal);
    abort(new Error("not needed any more"));
    expect(deadline.signal.reason).toEqual(new Error("not needed any more"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(deadline.isOver()).toBe(false);
    deadline.clear();
  });

  test("has fired already for a caller that gave up before", () => {
    const { signal, abort, listening } = countedSignal();
    abort(new Error("before"));
    const deadline = startDeadline(1_000, signal);
    expect([deadline.signal.aborted, listening()]).toEqual([true, 0]);
    deadline.clear();
  });

  test("that is cleared neither fires nor listens", async () => {
    const { signal, listening } = countedSignal();
    const deadline = startDeadline(1_000, signal);
    expect(listening()).toBe(1);
    deadline.clear();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([deadline.signal.aborted, deadline.isOver(), listening(), vi.getTimerCount()]).toEqual([false, false, 0, 0]);
  });
});
