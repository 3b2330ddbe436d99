/** What the simulated bank and biller do with an order: it follows from what was sent, never from chance. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import type { PaymentOrder } from "../rails/bank.ts";
import type { CustomerQuestion } from "../rails/biller.ts";
import { accountExists, isReversedLater, scenarioOf } from "./bank/payment-scenario.ts";
import { responseCodes } from "./bank/simulated-payment.ts";
import { customerAfter, type PackageDelivery } from "./biller/biller-customer.ts";
import { customerExists, vendScenarioOf } from "./biller/simulated-biller.ts";
import { referenceEnding, referenceEndings, unknownAccount, unknownBettor } from "./magic-inputs.ts";

const order = {
  environmentId: "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f",
  accountNumber: "0690000032",
  sessionId: "000013261103091500000000008811",
  accountName: "ADAEZE OKAFOR",
  amount: kobo(250_050n),
  narration: "October",
  reference: "payout-1042",
} as unknown as PaymentOrder;
const even = "000013261103091500000000008812";

describe("the end of a reference", () => {
  test.each(referenceEndings)("_%s chooses an outcome", (ending) => {
    expect(referenceEnding(`payout-1042_${ending}`)).toBe(ending);
    expect(referenceEnding(`_${ending}`)).toBe(ending);
  });

  test.each(["FAIL", "payout-FAIL", "payout_fail", "payout_FAIL_", "payout_FAIL ", "payout_FAILED", "payout_", ""])(
    "%j chooses none",
    (reference) => {
      expect(referenceEnding(reference)).toBeUndefined();
    },
  );

  test("is read from the end only, whatever stands before it", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...referenceEndings), (before, ending) => {
        expect(referenceEnding(`${before}_${ending}`)).toBe(ending);
        expect(referenceEnding(`${before}_${ending}.`)).toBeUndefined();
      }),
    );
  });
});

describe("the bank", () => {
  test("pays what has no ending", () => {
    const paid = { status: "paid", responseCode: responseCodes.paid, answerLost: null, isReversed: false };
    expect(scenarioOf(order, "up")).toEqual(paid);
  });

  test.each([
    ["FAIL", { status: "refused", responseCode: responseCodes.refused, answerLost: null, isReversed: false }],
    ["PENDING", { status: "in_progress", responseCode: responseCodes.in_progress, answerLost: null }],
    ["TIMEOUT", { status: "paid", answerLost: { nipCode: null } }],
    ["REVERSE", { status: "paid", answerLost: null, isReversed: true }],
  ])("does with _%s what it says", (ending, outcome) => {
    expect(scenarioOf({ ...order, reference: `p_${ending}` }, "up")).toMatchObject(outcome);
  });

  test.each(referenceEndings)("that is down reaches nobody, also for _%s", (ending) => {
    const reached = scenarioOf({ ...order, reference: `p_${ending}` }, "down");
    expect(reached).toMatchObject({ status: "unreached", answerLost: null, isReversed: false });
    expect(reached.responseCode).toBe(responseCodes.unreached);
  });

  test("that is degraded loses the answers of even sessions, and does the work of all", () => {
    expect(scenarioOf({ ...order, sessionId: even }, "degraded")).toMatchObject({
      status: "paid",
      answerLost: { nipCode: "97" },
    });
    expect(scenarioOf(order, "degraded").answerLost).toBeNull();
    expect(scenarioOf({ ...order, sessionId: even }, "up").answerLost).toBeNull();
  });

  test("that is degraded still refuses what it refuses", () => {
    const refused = scenarioOf({ ...order, sessionId: even, reference: "p_FAIL" }, "degraded");
    expect(refused).toMatchObject({ status: "refused", answerLost: { nipCode: "97" } });
  });

  test.each(["up", "degraded"] as const)("knows no account of zeros while it is %s, whatever the reference", (how) => {
    const nobody = { ...order, accountNumber: unknownAccount, reference: "p_REVERSE", sessionId: even };
    expect(accountExists(nobody)).toBe(false);
    expect(scenarioOf(nobody, how)).toEqual({
      status: "refused",
      responseCode: "07",
      answerLost: null,
      isReversed: false,
    });
  });

  test("takes back what ends in _REVERSE, and nothing else", () => {
    const reversed = referenceEndings.filter((ending) => isReversedLater({ reference: `p_${ending}` }));
    expect(reversed).toEqual(["REVERSE"]);
    expect(isReversedLater({ reference: "p" })).toBe(false);
  });

  test("says the same about the same order every time", () => {
    const digits = fc.stringMatching(/^[0-9]{30}$/);
    const condition = fc.constantFrom("up" as const, "degraded" as const, "down" as const);
    fc.assert(
      fc.property(digits, fc.string(), condition, (sessionId, reference, how) => {
        const asked = { ...order, sessionId, reference };
        expect(scenarioOf(asked, how)).toEqual(scenarioOf({ ...asked }, how));
      }),
    );
  });
});

describe("the biller", () => {
  test.each([
    ["b", { status: "delivered", answerLost: false, isReversed: false }],
    ["b_FAIL", { status: "refused", answerLost: false, isReversed: false }],
    ["b_PENDING", { status: "in_progress", answerLost: false, isReversed: false }],
    ["b_TIMEOUT", { status: "delivered", answerLost: true, isReversed: false }],
    ["b_REVERSE", { status: "delivered", answerLost: false, isReversed: true }],
  ])("does with %s what it says", (reference, outcome) => {
    expect(vendScenarioOf({ reference })).toEqual(outcome);
  });

  test.each(["0", "00000000", "00000000000000"])("knows no smart card %s", (customer) => {
    expect(customerExists({ category: "tv", customer })).toBe(false);
    expect(customerExists({ category: "electricity", customer })).toBe(true);
  });

  test("knows every bettor but one", () => {
    expect(customerExists({ category: "betting", customer: unknownBettor })).toBe(false);
    expect(customerExists({ category: "betting", customer: "00000" })).toBe(true);
    expect(customerExists({ category: "tv", customer: "7023456789" })).toBe(true);
  });
});

describe("a biller's customer", () => {
  const now = new Date("2026-11-03T09:15:00.000Z");
  const ask = (change: Partial<CustomerQuestion> = {}): CustomerQuestion => ({
    environmentId: order.environmentId,
    category: "tv",
    provider: "dstv",
    customer: "7023456789",
    meterType: null,
    ...change,
  });
  const delivery = (change: Partial<PackageDelivery> = {}): PackageDelivery => ({
    packageCode: "dstv-premium",
    renews: false,
    deliveredAt: now,
    ...change,
  });
  const dueOf = (deliveries: readonly PackageDelivery[]) => customerAfter(ask(), deliveries, now).subscription?.dueDate;

  test.each(["airtime", "data"] as const)("of %s is nobody: networks do not tell whose a number is", (category) => {
    const nobody = { name: null, address: null, renewalAmount: null, subscription: null };
    expect(customerAfter(ask({ category, provider: "MTN" }), [], now)).toEqual(nobody);
  });

  test("of electricity has a name and an address, and nothing that runs out", () => {
    const found = customerAfter(ask({ category: "electricity", provider: "ikeja-electric" }), [], now);
    expect(found.name).toMatch(/\S/);
    expect(found.address).toMatch(/^[1-9][0-9]? [A-Z]/);
    expect(found.subscription).toBeNull();
  });

  test("of a bookmaker, or of a station that we know nothing of, has a name alone", () => {
    for (const question of [ask({ category: "betting", provider: "bet9ja" }), ask({ provider: "other" })]) {
      expect(customerAfter(question, [], now)).toMatchObject({ address: null, subscription: null });
    }
  });

  test.each(["dstv", "gotv"])("of %s has one of its packages, paid for one to thirty days more", (provider) => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{10}$/), (customer) => {
        const { subscription } = customerAfter(ask({ provider, customer }), [], now);
        expect(subscription?.packageCode.startsWith(`${provider}-`)).toBe(true);
        expect((subscription?.dueDate ?? "") >= "2026-11-04").toBe(true);
        expect((subscription?.dueDate ?? "") <= "2026-12-03").toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("is the same in every sandbox, every time", () => {
    const elsewhere = ask({ environmentId: "01932c5e-8f4b-7c3a-9d2e-000000000001" });
    expect(customerAfter(elsewhere, [], now)).toEqual(customerAfter(ask(), [], now));
  });

  test("who changes the package has a month from that day on", () => {
    expect(customerAfter(ask(), [delivery()], now).subscription).toEqual({
      packageCode: "dstv-premium",
      dueDate: "2026-12-03",
    });
  });

  test("who renews adds a month to what is paid, twice when it is done twice", () => {
    const renewal = delivery({ renews: true });
    expect(dueOf([delivery(), renewal])).toBe("2027-01-03");
    expect(dueOf([delivery(), renewal, renewal])).toBe("2027-02-03");
  });

  test("who renews late has a month from the day of it, not from the day it ran out", () => {
    const late = delivery({ renews: true, deliveredAt: new Date("2027-02-10T12:00:00Z") });
    expect(dueOf([delivery(), late])).toBe("2027-03-10");
  });

  test("who changes twice on one day has one month: a change starts again", () => {
    expect(dueOf([delivery(), delivery()])).toBe("2026-12-03");
  });

  test("is served by Lagos's day: an hour before midnight in London is tomorrow there", () => {
    expect(dueOf([delivery({ deliveredAt: new Date("2026-11-03T23:30:00Z") })])).toBe("2026-12-04");
  });
});
