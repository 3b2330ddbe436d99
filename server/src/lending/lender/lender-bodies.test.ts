/** The lender's money as an operator moves and reads it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { kobo } from "../../money/kobo.ts";
import { type LenderFunds, type LenderMovement, lenderAccounts } from "./lender-movement.ts";
import { lenderData, lenderMovementBody, lenderMovementData, presentLender, presentLenderMovement } from "./schemas.ts";

const environment = { id: "01932c60-1d2e-7a3b-8c4d-5e6f70819203", kind: "LIVE" as const };

describe("a movement is ordered", () => {
  const complaints = complaintsOf(lenderMovementBody);
  const body = {
    amount: 10_000_000,
    reference: "lender-in-2026-11-03",
    reason: "First money of the lender",
    evidence: "NIP session 000013261103091500000000008812",
    fundedAfter: 10_000_000,
  };
  const fieldsOf = (change: object) => Object.keys(complaints({ ...body, ...change }));

  test("with all of its fields: each one that is missing is named", () => {
    expect(complaints(body)).toEqual({});
    for (const field of Object.keys(body)) {
      const { [field as keyof typeof body]: _, ...rest } = body;
      expect(complaints(rest)).toEqual({ [field]: "is required" });
    }
  });

  test.each([0.01, 1, 1_000_000_000_000])("over %d naira", (amount) => {
    expect(fieldsOf({ amount })).toEqual([]);
  });

  test.each([0, -5, 0.001, 1_000_000_000_000.01, "10", null])("not over %j naira", (amount) => {
    expect(fieldsOf({ amount })).toEqual(["amount"]);
  });

  test("to a sum of nothing at the least: a lender may take all out", () => {
    expect(fieldsOf({ fundedAfter: 0 })).toEqual([]);
    expect(fieldsOf({ fundedAfter: -0.01 })).toEqual(["fundedAfter"]);
    expect(fieldsOf({ fundedAfter: 10_000_000_000_001 })).toEqual(["fundedAfter"]);
  });

  test.each([
    ["reference", 100],
    ["reason", 200],
    ["evidence", 500],
  ])("with a %s of at most %i characters", (field, longest) => {
    expect(fieldsOf({ [field]: "x".repeat(longest) })).toEqual([]);
    expect(fieldsOf({ [field]: "x".repeat(longest + 1) })).toEqual([field]);
    expect(fieldsOf({ [field]: "" })).toEqual([field]);
  });

  test.each(["reason", "evidence"])("with a %s that says something", (field) => {
    expect(fieldsOf({ [field]: "   " })).toEqual([field]);
  });
});

describe("the lender's money is shown", () => {
  const funds: LenderFunds = {
    available: kobo(615_000_000n),
    held: kobo(5_000_000n),
    lent: kobo(380_000_000n),
    promised: kobo(15_000_000n),
  } as LenderFunds;

  test("as the example of the document has it", () => {
    const shown = presentLender(environment, funds);
    expect(shown).toEqual({
      environmentId: environment.id,
      environment: "LIVE",
      accountId: lenderAccounts(environment.id).available,
      available: 6_150_000,
      held: 50_000,
      lent: 3_800_000,
      funded: 10_000_000,
      promised: 150_000,
      withdrawable: 6_000_000,
      currency: "NGN",
    });
    expect(complaintsOf(lenderData)(shown)).toEqual({});
  });

  test("so that its parts add up to what was put in, whatever they are", () => {
    const part = fc.bigInt(0n, 10n ** 13n);
    fc.assert(
      fc.property(part, part, part, part, (available, held, lent, promised) => {
        const all = { available, held, lent, promised } as unknown as LenderFunds;
        const shown = presentLender(environment, all);
        const inKobo = (naira: number) => BigInt(Math.round(naira * 100));
        expect(inKobo(shown.funded)).toBe(available + held + lent);
        expect(inKobo(shown.withdrawable)).toBeLessThanOrEqual(available);
        expect(complaintsOf(lenderData)(shown)).toEqual({});
      }),
      { numRuns: 30 },
    );
  });

  test("under accounts of its own in every environment, the same each time", () => {
    const other = lenderAccounts("01932c60-1d2e-7a3b-8c4d-5e6f70819204");
    const own = lenderAccounts(environment.id);
    expect(lenderAccounts(environment.id)).toEqual(own);
    const ids = [...Object.values(own), ...Object.values(other)];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test.each(["deposit", "withdrawal"] as const)("a %s is shown with its sum afterwards", (direction) => {
  const movement = {
    id: environment.id,
    direction,
    amount: kobo(250_050n),
    reference: "lender-1",
    reason: "More money",
    evidence: "NIP session 1",
    fundedAfter: kobo(0n),
    createdAt: new Date("2026-11-03T09:15:00.000Z"),
  } as LenderMovement;
  const shown = presentLenderMovement(movement);
  expect(shown).toEqual({
    ...movement,
    amount: 2_500.5,
    currency: "NGN",
    fundedAfter: 0,
    createdAt: "2026-11-03T09:15:00.000Z",
  });
  expect(complaintsOf(lenderMovementData)(shown)).toEqual({});
});
