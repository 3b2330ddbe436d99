/** When cards are charged, how long one waits after declines, and what is shown of a card. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../../testing/platform/complaints.ts";
import { lagosDate, lagosTime } from "../../platform/time/lagos-date.ts";
import { shownCard } from "../pages/schemas.ts";
import { type Card, presentCard } from "./card.ts";
import { cardRefundTransitions } from "./card-refund.ts";
import { cardNotLinked, chargeTransitions, waitAfterDeclines } from "./charge.ts";
import { collectionMoment, retryMoment, waitForOtherMs } from "./collection.ts";
import { CardParams, cardData, completeBody, LinkParams, linkBody, reasonData } from "./schemas.ts";
import { showCard } from "./show-card.ts";

const day = 86_400_000;
const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("a due date", () => {
  test("is collected at six in the morning in Lagos", () => {
    expect(collectionMoment(Temporal.PlainDate.from("2026-12-01"))).toEqual(new Date("2026-12-01T05:00:00.000Z"));
  });

  test("is collected on its own day in Lagos, whichever day that is, and a day after the one before", () => {
    const date = fc.integer({ min: 0, max: 20_000 }).map((days) => Temporal.PlainDate.from("2010-01-01").add({ days }));
    fc.assert(
      fc.property(date, (due) => {
        const moment = collectionMoment(due);
        expect(lagosDate(moment).equals(due)).toBe(true);
        expect(lagosTime(moment).hour).toBe(6);
        expect(collectionMoment(due.add({ days: 1 })).getTime() - moment.getTime()).toBe(day);
      }),
    );
  });
});

describe("a declined try", () => {
  const firstTriedAt = new Date("2026-12-01T05:00:03.000Z");

  test.each([
    [1, 1],
    [2, 3],
    [3, 7],
  ])("number %i is followed by another %i days after the first", (tries, days) => {
    expect(retryMoment({ firstTriedAt, tries })).toEqual(new Date(firstTriedAt.getTime() + days * day));
  });

  test.each([0, 4, 5, 100])("number %i is followed by none: a person sees to it", (tries) => {
    expect(retryMoment({ firstTriedAt, tries })).toBeUndefined();
  });

  test("without a first one has nothing to count from", () => {
    expect(retryMoment({ firstTriedAt: null, tries: 1 })).toBeUndefined();
  });

  test("is over before the next month's instalment falls due, and waits for another charge in between", () => {
    const last = retryMoment({ firstTriedAt, tries: 3 });
    expect((last?.getTime() ?? 0) - firstTriedAt.getTime()).toBeLessThan(28 * day);
    expect(waitForOtherMs).toBeLessThan(day);
  });
});

describe("declines in a row", () => {
  test.each([
    [0, 0],
    [1, 60_000],
    [2, 600_000],
    [3, 3_600_000],
    [4, 21_600_000],
    [5, day],
    [6, day],
    [1_000, day],
  ])("of %i make a merchant wait for %i ms", (declines, ms) => {
    expect(waitAfterDeclines(declines)).toBe(ms);
  });

  test("never make the wait shorter", () => {
    fc.assert(
      fc.property(fc.nat(50), (declines) => {
        expect(waitAfterDeclines(declines + 1)).toBeGreaterThanOrEqual(waitAfterDeclines(declines));
      }),
    );
  });
});

test.each([
  ["a charge", chargeTransitions],
  ["a refund", cardRefundTransitions],
])("%s ends once, well or badly", (_, transitions) => {
  expect(transitions).toEqual({ processing: ["successful", "failed"], successful: [], failed: [] });
});

describe("a card as it is shown", () => {
  const card: Card = {
    id,
    customerId: "customer-1",
    brand: "visa",
    last4: "4081",
    expMonth: 12,
    expYear: 2029,
    bank: null,
    isDefault: true,
    connectionId: "connection-1",
    createdAt: new Date("2026-11-01T08:30:00.000Z"),
  };

  test("to the merchant is what stands on a receipt, and nothing of its processor", () => {
    const shown = presentCard(card);
    expect(shown).toEqual({
      id,
      brand: "visa",
      last4: "4081",
      exp_month: 12,
      exp_year: 2029,
      bank: null,
      is_default: true,
    });
    expect(complaintsOf(cardData)(shown)).toEqual({});
    expect(JSON.stringify(shown)).not.toMatch(/customer-1|connection-1/);
  });

  test("to the customer has not even an id; no card is none", () => {
    const shown = showCard(card);
    expect(shown).toEqual({ brand: "visa", last4: "4081", expMonth: 12, expYear: 2029 });
    expect(complaintsOf(shownCard)(shown)).toEqual({});
    expect(showCard(undefined)).toBeNull();
  });

  test.each([
    [{ last4: "408" }, "last4"],
    [{ last4: "4084081" }, "last4"],
    [{ exp_month: 13 }, "exp_month"],
    [{ exp_month: 0 }, "exp_month"],
    [{ brand: "gold" }, "brand"],
  ])("with %j would not be what the document says", (change, field) => {
    expect(Object.keys(complaintsOf(cardData)({ ...presentCard(card), ...change }))).toEqual([field]);
  });

  test("that is gone is told in words that a merchant can pass on", () => {
    expect(complaintsOf(reasonData)(cardNotLinked)).toEqual({});
    expect(cardNotLinked.message).toMatch(/^[A-Z].*\.$/);
  });
});

describe("bodies and paths about cards", () => {
  test.each([
    [{}, []],
    [{ callback_url: "https://shop.example.com/cards/done" }, []],
    [{ callback_url: "x".repeat(2_049) }, ["callback_url"]],
    [{ callback_url: null }, ["callback_url"]],
    [{ callback_url: ["https://shop.example.com"] }, ["callback_url"]],
  ])("a link with %j is refused at %j", (body, fields) => {
    expect(Object.keys(complaintsOf(linkBody)(body))).toEqual(fields);
  });

  test.each(["linked", "declined", "declines_later", "asks_holder", "refunds_slowly"])(
    "a sandbox's link may end as %s",
    (outcome) => {
      expect(complaintsOf(completeBody)({ outcome })).toEqual({});
    },
  );

  test.each(["LINKED", "expired", "", null, undefined])("a sandbox's link does not end as %j", (outcome) => {
    expect(Object.keys(complaintsOf(completeBody)({ outcome }))).toEqual(["outcome"]);
  });

  test("paths name their records by ids", () => {
    expect(complaintsOf(CardParams)({ customerId: "c", cardId: id })).toEqual({ customerId: "must be a UUID" });
    expect(complaintsOf(LinkParams)({ linkId: id.toUpperCase() })).toEqual({});
  });
});
