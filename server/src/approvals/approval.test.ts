import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { kobo } from "../money/kobo.ts";
import type { Caller } from "../platform/http/caller.ts";
import { commonProblem } from "../platform/problem.ts";
import { payWithinLimit } from "../wallets/limit-people.ts";
import { type Approval, expiryOf, requireSecondPerson, requireWaiting, statusAt } from "./approval.ts";

const asked = new Date("2026-11-02T08:00:00.000Z");
const day = 86_400_000;
const after = (ms: number) => new Date(asked.getTime() + ms);
const maker = { id: "p1", email: "maker@example.com" };
const checker = { id: "p2", email: "checker@example.com" };

const approval = (storedStatus: Approval["storedStatus"] = "waiting"): Approval => ({
  id: "a1",
  order: {
    kind: "payout",
    body: { reference: "r-1", accountNumber: "0123456789", bankCode: "058", amount: 1, currency: "NGN" },
  },
  reference: "r-1",
  amount: kobo(100n),
  payouts: 1,
  note: null,
  requestedBy: maker,
  createdAt: asked,
  expiresAt: expiryOf(asked),
  storedStatus,
  decision: null,
  transferId: null,
  batchId: null,
});

describe("an approval", () => {
  test.each([
    ["waiting", 0, "waiting"],
    ["waiting", 7 * day - 1, "waiting"],
    ["waiting", 7 * day, "expired"],
    ["waiting", 8 * day, "expired"],
    ["approved", 8 * day, "approved"],
    ["rejected", 8 * day, "rejected"],
  ] as const)("that is %s, %i ms after it was asked for, is %s", (stored, ms, status) => {
    expect(statusAt(approval(stored), after(ms))).toBe(status);
  });

  test("can be decided once, and not when its time is over", () => {
    expect(() => requireWaiting(approval(), asked)).not.toThrow();
    for (const status of ["approved", "rejected"] as const) {
      expect(() => requireWaiting(approval(status), asked)).toThrow(
        expect.objectContaining({ code: "approval_decided", data: { status } }),
      );
    }
    expect(() => requireWaiting(approval(), after(7 * day))).toThrow(
      expect.objectContaining({ code: "approval_expired" }),
    );
  });

  test("is agreed to by somebody else than the asker, whatever address they have", () => {
    expect(() => requireSecondPerson(approval(), checker)).not.toThrow();
    expect(() => requireSecondPerson(approval(), maker)).toThrow(expect.objectContaining({ code: "approval_own" }));
    const renamed = { ...maker, email: "another@example.com" };
    expect(() => requireSecondPerson(approval(), renamed)).toThrow(expect.objectContaining({ code: "approval_own" }));
  });

  test("lives seven days, whenever it was asked for", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }), (moment) => {
        expect(expiryOf(moment).getTime() - moment.getTime()).toBe(7 * day);
      }),
    );
  });
});

describe("a person who pays within a limit", async () => {
  const { db } = await createTestDatabase();
  const { environment, merchant } = await createMerchant(db);
  const person = {
    id: "p1",
    email: "maker@example.com",
    name: "Maker",
    sessionId: "s1",
    signedInAt: asked,
    provenAt: asked,
  };
  const caller = (who: Caller["person"]): Caller => ({
    environmentId: environment.id,
    kind: "SANDBOX",
    merchantId: merchant.id,
    holderId: "p1",
    scopes: ["*"],
    person: who,
    recheck: async () => undefined,
  });

  /** Counts attempts, and those that were taken back. */
  function limit(refuses = false) {
    const counted: string[] = [];
    const limitPeople = async (_: unknown, { reference }: { readonly reference: string }) => {
      if (refuses) throw commonProblem("rate_limited");
      counted.push(`counted ${reference}`);
      return async () => {
        counted.push(`taken back ${reference}`);
      };
    };
    return { counted, deps: { db, limitPeople } };
  }
  const attempt = (pay: () => Promise<string>, amount = 100n) => ({
    list: "transfers",
    reference: "r-1",
    amount: kobo(amount),
    pay,
  });

  test("is counted before the payout is tried", async () => {
    const { counted, deps } = limit();
    const paid = await payWithinLimit(
      deps,
      caller(person),
      attempt(async () => counted.join()),
    );
    expect([paid, counted]).toEqual(["counted r-1", ["counted r-1"]]);
  });

  test("gets the attempt back when the payout was refused: nothing was taken", async () => {
    const { counted, deps } = limit();
    const refused = payWithinLimit(
      deps,
      caller(person),
      attempt(() => Promise.reject(commonProblem("not_found"))),
    );
    await expect(refused).rejects.toMatchObject({ code: "not_found" });
    expect(counted).toEqual(["counted r-1", "taken back r-1"]);
  });

  test.each([
    ["a fault of ours", new Error("connection terminated")],
    ["a service that is away", commonProblem("unavailable")],
    ["a text", "thrown"],
  ])("stays counted after %s: it may have paid", async (_, thrown) => {
    const { counted, deps } = limit();
    const lost = payWithinLimit(
      deps,
      caller(person),
      attempt(() => Promise.reject(thrown)),
    );
    await expect(lost).rejects.toBe(thrown);
    expect(counted).toEqual(["counted r-1"]);
  });

  test("is not paid for when the limit says no", async () => {
    const { deps } = limit(true);
    const refused = payWithinLimit(
      deps,
      caller(person),
      attempt(async () => expect.unreachable("it was paid")),
    );
    await expect(refused).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("is nobody's business where a key pays, or where nothing is paid", async () => {
    const { counted, deps } = limit(true);
    expect(
      await payWithinLimit(
        deps,
        caller(null),
        attempt(async () => "paid"),
      ),
    ).toBe("paid");
    expect(
      await payWithinLimit(
        deps,
        caller(person),
        attempt(async () => "paid", 0n),
      ),
    ).toBe("paid");
    expect(counted).toEqual([]);
  });
});
