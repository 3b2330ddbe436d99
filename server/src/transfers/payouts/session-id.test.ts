import { expect, test } from "vitest";
import { sessionIdOf } from "./transfer.ts";

const transfer = { id: "01a1e5bb-0c6d-7748-805b-20a8303855f7", createdAt: new Date("2026-11-16T23:59:58.700Z") };

test("has the sender, the time of acceptance in Lagos, and twelve digits of the transfer's own", () => {
  expect(sessionIdOf(transfer, "999058")).toMatch(/^999058261117005958\d{12}$/);
});

test("is the same whenever and wherever the transfer is sent", () => {
  const again = { ...transfer, createdAt: new Date(transfer.createdAt) };
  expect(sessionIdOf(again, "999058")).toBe(sessionIdOf(transfer, "999058"));
});

test("tells transfers of one second apart", () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `01a1e5bb-0c6d-7748-805b-${String(n).padStart(12, "0")}`);
  const sessions = new Set(ids.map((id) => sessionIdOf({ ...transfer, id }, "999058")));
  expect(sessions.size).toBe(ids.length);
});
