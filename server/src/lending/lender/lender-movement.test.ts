import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { kobo } from "../../money/kobo.ts";
import { fundedOf, type LenderMovement, lenderAccounts, lenderPosting, withdrawableOf } from "./lender-movement.ts";

describe("the lender's money", () => {
  const environmentId = "01998a4e-0000-7000-8000-000000000001";
  const movement: LenderMovement = {
    id: "m1",
    direction: "deposit",
    amount: naira("1,000.00"),
    reference: "d-1",
    reason: "Capital",
    evidence: "bank line 7",
    fundedAfter: naira("1,000.00"),
    createdAt: new Date(0),
  };

  test("is what is available, held and lent", () => {
    expect(fundedOf({ available: kobo(5n), held: kobo(7n), lent: kobo(11n) })).toBe(23n);
  });

  test.each([
    [100n, 0n, 100n],
    [100n, 99n, 1n],
    [100n, 100n, 0n],
    [100n, 101n, 0n],
    [0n, 0n, 0n],
  ])("of %s with %s promised, %s can be taken out", (available, promised, withdrawable) => {
    expect(withdrawableOf({ available: kobo(available), promised: kobo(promised) })).toBe(withdrawable);
  });

  test.each([
    ["deposit", "lender.deposited", 1n],
    ["withdrawal", "lender.withdrawn", -1n],
  ] as const)("is moved by a %s between the outside and the funding account, to the kobo", (direction, kind, sign) => {
    const { available } = lenderAccounts(environmentId);
    const posting = lenderPosting(environmentId, { ...movement, direction });
    expect(posting).toMatchObject({ id: "m1", kind, narration: "Capital" });
    expect(posting.legs.find(({ accountId }) => accountId === available)?.amount).toBe(sign * naira("1,000.00"));
    expect(posting.legs.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    expect(posting.legs).toHaveLength(2);
  });

  test("stands on accounts of its environment alone", () => {
    const other = lenderAccounts("01998a4e-0000-7000-8000-000000000002");
    const own = Object.values(lenderAccounts(environmentId));
    expect(new Set([...own, ...Object.values(other)]).size).toBe(6);
  });
});
