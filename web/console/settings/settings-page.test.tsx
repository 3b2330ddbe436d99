/** What is fixed for this merchant, and where each of it is changed. */
import { expect, test } from "vitest";
import { button, describedBy, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, fact, queryOf } from "../testing/lists.ts";
import { SettingsPage } from "./settings-page.tsx";

const limit = {
  amount: 100_000 as number | null,
  setBy: "ada@example.com" as string | null,
  setAt: "2026-11-16T23:30:00.000Z" as string | null,
  spent: 250.5,
};
const cost = (asked: Asked) => {
  const amount = Number(queryOf(asked)["amount"]);
  return { amount, fee: 10, vat: 0.75, stampDuty: amount < 10_000 ? 0 : 50, totalDebit: amount + 60.75 };
};

async function open(more: Partial<typeof limit> = {}, role = "owner", replies: object = {}) {
  const asked = replyWith({
    [`GET ${door}/approval-limits`]: () => ({ ...limit, ...more }),
    [`GET ${door}/transfers/fee`]: cost,
    [`PUT ${door}/approval-limits`]: () => ({}),
    ...replies,
  });
  await drawInConsole(<SettingsPage />, { role });
  return () => asked.filter(({ method }) => method !== "GET").map(({ method, body }) => [method, body]);
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("merchant, role and environment are named, with the ids that support asks for", async () => {
  await open();
  expect(["Name", "Your role", "Merchant id", "This environment", "All environments"].map(fact)).toEqual([
    "Mama Put",
    "Owner",
    "m-1",
    "Main (SANDBOX)",
    "Main (SANDBOX)",
  ]);
});

test("what a payout costs is asked of the server for small, middle and large amounts", async () => {
  await open();
  await expect.poll(cells).toEqual([
    ["₦1,000.00", "₦10.00", "₦0.75", "₦0.00", "₦1,060.75"],
    ["₦10,000.00", "₦10.00", "₦0.75", "₦50.00", "₦10,060.75"],
    ["₦100,000.00", "₦10.00", "₦0.75", "₦50.00", "₦100,060.75"],
  ]);
});

test("costs that cannot be read say so, and no figure stands in their place", async () => {
  await open({}, "owner", {
    [`GET ${door}/transfers/fee`]: () => refuse(503, "unavailable", { message: "No tariff." }),
  });
  await expect.poll(shown).toContain("No tariff.");
  expect(shown()).not.toContain("₦1,060.75");
});

test.each([
  [100_000, "At most ₦100,000.00 within 24 hours. You have paid ₦250.50 of it."],
  [0, "Every payment needs a second person."],
  [null, "There is no limit: whoever may pay, pays alone."],
])("a limit of %s is told in words", async (amount, words) => {
  await open({ amount });
  expect(shown()).toContain(words);
});

test("who set it and when stands below it", async () => {
  await open();
  expect(shown()).toContain("Set by ada@example.com, 17 Nov 2026 00:30:00");
});

test.each(["developer", "finance", "support", "viewer"])("a person of the role %s cannot change it", async (role) => {
  await open({}, role);
  expect(hasButton("Change the limit")).toBe(false);
});

test.each([
  ["₦2,500", 2_500],
  ["2500.5", 2_500.5],
  ["0", 0],
  ["", null],
])("an owner who types %j sets %s", async (typed, amount) => {
  const sent = await open();
  await press("Change the limit");
  expect(describedBy(field("Limit in naira"))).toBe("Empty: no limit. 0: nobody pays alone.");
  await type("Limit in naira", typed);
  await submit();
  await expect.poll(sent).toEqual([["PUT", { amount }]]);
});

test.each(["-1", "2500,50", "lots"])(
  "what is no amount (%s) is sent as it is: null would take the limit away",
  async (typed) => {
    const errors = [{ field: "amount", message: "must be number" }];
    const sent = await open({}, "owner", {
      [`PUT ${door}/approval-limits`]: () => refuse(422, "validation_failed", { message: "Check it.", errors }),
    });
    await press("Change the limit");
    await type("Limit in naira", typed);
    await submit();
    await expect.poll(shown).toContain("Amount: must be number");
    expect(sent()).toEqual([["PUT", { amount: typed }]]);
  },
);

test("signatures are explained, with the way to the secrets", async () => {
  await open();
  expect(button("Developers").getAttribute("href")).toBe("/env-1/developers");
  expect(button("How to check a signature").getAttribute("href")).toBe("/docs/webhooks");
});
