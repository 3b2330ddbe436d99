import { expect, test } from "vitest";
import { type RailNotice, watchRail } from "./open-lines.ts";

function watched(answer: unknown) {
  const notices: RailNotice[] = [];
  const rail = {
    name: "test",
    send: async (_order: object) => answer,
    list: () => ["as it is"],
  };
  return {
    notices,
    rail: watchRail(rail, async (said) => {
      notices.push(said);
    }),
  };
}

test("an answer goes through unchanged, and one that says nothing besides is not noticed", async () => {
  const { rail, notices } = watched({ outcome: "success" });
  expect(await rail.send({ environmentId: "e", sessionId: "s" })).toEqual({ outcome: "success" });
  expect(rail.name).toBe("test");
  expect(rail.list()).toEqual(["as it is"]);
  expect(notices).toEqual([]);
});

test.each([
  [{ hold: { reason: "float_empty", message: "empty" } }],
  [{ alarm: "the amount is another" }],
  [{ trace: { providerReference: "TRF_1" } }],
])("%j is noticed with the order that it is about", async (said) => {
  const answer = { outcome: "unknown", ...said };
  const { rail, notices } = watched(answer);
  expect(await rail.send({ environmentId: "e", sessionId: "s" })).toBe(answer);
  expect(notices).toEqual([{ ...said, environmentId: "e", orderId: "s" }]);
});

test.each([
  ["requestId", "r"],
  ["chargeId", "c"],
  ["messageId", "m"],
])("an order is known by its %s", async (name, id) => {
  const { rail, notices } = watched({ outcome: "unknown", alarm: "a" });
  await rail.send({ environmentId: "e", [name]: id });
  expect(notices[0]?.orderId).toBe(id);
});

test("of a refund the refund's own id counts, not that of its charge", async () => {
  const { rail, notices } = watched({ outcome: "unknown", alarm: "a" });
  await rail.send({ environmentId: "e", chargeId: "c", refundId: "r" });
  expect(notices[0]?.orderId).toBe("r");
});
