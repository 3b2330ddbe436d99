import { describe, expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";
import type { LinkedCard } from "../../rails/card.ts";
import { mostDeclines } from "./card-link.ts";
import { waitAfterDeclines } from "./charge.ts";
import { judgeLinkAnswer, type LinkVerdict } from "./link-order.ts";
import { showCard } from "./show-card.ts";

const { within, dependencies, advance } = await createCheckoutApp();
const { sealer } = dependencies;
const minute = 60_000;

const card = (fingerprint: string | null): LinkedCard => ({
  token: "AUTH_1",
  brand: "visa",
  last4: "4081",
  expMonth: 12,
  expYear: 2030,
  bank: null,
  fingerprint,
});
const linked = (fingerprint: string | null): LinkVerdict => ({ outcome: "linked", card: card(fingerprint) });
const declined = (fingerprint?: string): LinkVerdict => ({
  outcome: "declined",
  code: "incorrect_cvv",
  message: "The security code is wrong.",
  ...(fingerprint === undefined ? {} : { fingerprint }),
});
const judge = (answer: LinkVerdict) =>
  within((tx) => judgeLinkAnswer(tx, sealer, tx.environment.clock.newId(), answer));
const refuse = async (fingerprint: string, times: number) => {
  for (let time = 0; time < times; time += 1) expect(await judge(declined(fingerprint))).toEqual(declined(fingerprint));
};
const tooOften = { outcome: "declined", code: "card_refused_too_often" };

describe("a card that was refused", () => {
  test("may be tried again at once as often as one link allows", async () => {
    await refuse("f-mistyped", mostDeclines - 1);
    expect(await judge(linked("f-mistyped"))).toEqual(linked("f-mistyped"));
  });

  test("too often is refused by us, also when the guess was right", async () => {
    await refuse("f-guessed", mostDeclines);
    expect(await judge(linked("f-guessed"))).toMatchObject({
      ...tooOften,
      message: "This card was refused too often. Use another card, or try this one again in a minute.",
    });
    expect(await judge(declined("f-guessed"))).toMatchObject(tooOften);
  });

  test("is let in again when the wait is over, and waits longer after each further refusal", async () => {
    await refuse("f-patient", mostDeclines);
    await advance({ seconds: 60 });
    await refuse("f-patient", 1);
    expect(await judge(linked("f-patient"))).toMatchObject({
      message: expect.stringContaining("again in 10 minutes."),
    });
    await advance({ seconds: 600 });
    expect(await judge(linked("f-patient"))).toEqual(linked("f-patient"));
  });

  test("while it waits is not counted again: nobody can lock a stranger's card for days", async () => {
    await refuse("f-locked", mostDeclines);
    for (let time = 0; time < 5; time += 1) expect(await judge(declined("f-locked"))).toMatchObject(tooOften);
    await advance({ seconds: 60 });
    expect(await judge(linked("f-locked"))).toEqual(linked("f-locked"));
  });

  test("a day ago is forgotten", async () => {
    await refuse("f-yesterday", mostDeclines);
    await advance({ seconds: 86_401 });
    await refuse("f-yesterday", mostDeclines - 1);
    expect(await judge(linked("f-yesterday"))).toEqual(linked("f-yesterday"));
  });

  test("says nothing about another card", async () => {
    await refuse("f-one", mostDeclines);
    expect(await judge(linked("f-two"))).toEqual(linked("f-two"));
  });

  test("and that the network does not name cannot be counted", async () => {
    for (let time = 0; time < 5; time += 1) expect(await judge(declined())).toEqual(declined());
    expect(await judge(linked(null))).toEqual(linked(null));
  });
});

test.each([
  [0, 0],
  [1, minute],
  [2, 10 * minute],
  [3, 60 * minute],
  [4, 360 * minute],
  [5, 1_440 * minute],
  [50, 1_440 * minute],
])("after %i declines in a row a merchant waits %i ms", (declines, waitMs) => {
  expect(waitAfterDeclines(declines)).toBe(waitMs);
});

test("a page names a card by what is printed on a receipt, and by nothing else", () => {
  const kept = {
    ...card("f"),
    id: "k1",
    customerId: "c1",
    isDefault: true,
    connectionId: "x1",
    createdAt: new Date(0),
  };
  expect(showCard(kept)).toEqual({ brand: "visa", last4: "4081", expMonth: 12, expYear: 2030 });
  expect(showCard(undefined)).toBeNull();
});
