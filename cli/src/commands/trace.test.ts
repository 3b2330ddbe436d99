import { expect, test } from "vitest";
import { createScreen } from "../screen.ts";
import { showTrace, spanOf } from "./trace.ts";

test.each([
  [0, "0ms"],
  [350, "350ms"],
  [4_200, "4s"],
  [59_999, "59s"],
  [60_000, "1m"],
  [3_599_999, "59m"],
  [720_000, "12m"],
  [10_800_000, "3h"],
  [31 * 86_400_000, "31d"],
])("%i ms is %s", (ms, text) => {
  expect(spanOf(ms)).toBe(text);
});

test("a narrow terminal gets the beginning of each line", async () => {
  const written: string[] = [];
  const out = { write: (text: string) => written.push(text), isTTY: true, columns: 30 };
  const screen = createScreen({ out, err: out, color: true });
  const step = { at: "2026-11-01T08:30:00.000Z", kind: "state", title: "A long title ".repeat(5), detail: {}, ids: {} };
  const trace = { id: "x", kind: "transfer", steps: [{ ...step, ok: true }] };
  const connect = () => ({ jara: { traces: { get: async () => trace } } });
  await showTrace({ screen, connect } as never, {}, "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11");
  const [, line = ""] = written.join("").split("\n");
  expect(line).toHaveLength(30);
  expect(line.endsWith("…")).toBe(true);
});
