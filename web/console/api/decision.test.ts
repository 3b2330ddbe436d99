/** One reference for one order: the rule that keeps a second press from paying twice. */
import { describe, expect, test } from "vitest";
import { decide } from "./decision.ts";

const order = { accountNumber: "0123456789", bankCode: "058", amount: 2_500.5, narration: "Rent" };

describe("the same order", () => {
  test("keeps its reference however often it is decided", () => {
    const first = decide(order, undefined);
    const second = decide({ ...order }, first);
    expect(decide({ ...order }, second)).toBe(first);
  });

  test("is the same one after a walk back through the form", () => {
    const first = decide(order, undefined);
    const typedAgain = JSON.parse(JSON.stringify(order)) as typeof order;
    expect(decide(typedAgain, first).reference).toBe(first.reference);
  });
});

describe("another order", () => {
  test.each([
    ["amount", { amount: 2_500.51 }],
    ["account", { accountNumber: "0123456780" }],
    ["bank", { bankCode: "044" }],
    ["narration", { narration: "Rent of May" }],
  ])("with another %s has another reference", (_case, change) => {
    const first = decide(order, undefined);
    const second = decide({ ...order, ...change }, first);
    expect(second.reference).not.toBe(first.reference);
    expect(second.order).toEqual({ ...order, ...change });
  });

  test("and back again is a third one: what was left is not taken up", () => {
    const first = decide(order, undefined);
    const other = decide({ ...order, amount: 1 }, first);
    expect(decide(order, other).reference).not.toBe(first.reference);
  });
});

test("references of two people at the same moment differ, and say where they come from", () => {
  const references = Array.from({ length: 100 }, () => decide(order, undefined).reference);
  expect(new Set(references).size).toBe(100);
  for (const reference of references) expect(reference).toMatch(/^console-[0-9a-f-]{36}$/);
});
