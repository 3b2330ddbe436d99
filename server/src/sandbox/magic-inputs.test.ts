import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountHolder } from "./account-holder.ts";
import { referenceEnding, referenceEndings, unknownSmartCard } from "./magic-inputs.ts";

describe("the end of a reference", () => {
  test.each(referenceEndings)("chooses %s", (ending) => {
    expect(referenceEnding(`order-1_${ending}`)).toBe(ending);
    expect(referenceEnding(`_${ending}`)).toBe(ending);
    expect(referenceEnding(`a_b_${ending}`)).toBe(ending);
  });

  test.each([
    "order-1",
    "order-1FAIL",
    "order-1_fail",
    "order-1_FAIL_2",
    "order-1_FAIL ",
    "order-1_FAILED",
    "FAIL",
    "order-1-FAIL",
    "",
    "_",
    "order_TOSTRING",
  ])("%j chooses nothing: a merchant's own reference is left alone", (reference) => {
    expect(referenceEnding(reference)).toBeUndefined();
  });
});

test.each([
  ["0000000000", true],
  ["0", true],
  ["0000000001", false],
  ["", false],
  ["00a0", false],
])("the smart card %j is with no provider: %s", (number, unknown) => {
  expect(unknownSmartCard.test(number)).toBe(unknown);
});

describe("the holder of a simulated account", () => {
  const digits = fc.stringMatching(/^\d{10}$/);

  test("is the same person every time, with three different names", () => {
    fc.assert(
      fc.property(digits, (number) => {
        const name = accountHolder("000013", number);
        expect(accountHolder("000013", number)).toBe(name);
        const names = name.split(" ");
        expect(names).toHaveLength(3);
        expect(names[0]).not.toBe(names[1]);
      }),
    );
  });

  test("is mostly somebody else for another number or another bank", () => {
    const numbers = Array.from({ length: 300 }, (_, place) => String(place).padStart(10, "0"));
    expect(new Set(numbers.map((number) => accountHolder("000013", number))).size).toBeGreaterThan(250);
    const moved = numbers.filter((number) => accountHolder("000013", number) === accountHolder("000014", number));
    expect(moved.length).toBeLessThan(10);
  });
});
