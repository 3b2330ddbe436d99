/** A payout by hand where it is refused, doubted or pressed twice. */
import { expect, test } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { ProofWindow } from "../shell/proof-window.tsx";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { queryOf } from "../testing/lists.ts";
import { MakePayout } from "./make-payout.tsx";

const calm = {
  [`GET ${door}/transfers/banks`]: () => [{ code: "058", name: "GTBank" }],
  [`GET ${door}/transfers/name-enquiry`]: () => ({
    accountName: "ADA OBI",
    bankName: "GTBank",
    nameEnquiryReference: "enquiry-1",
  }),
  [`GET ${door}/transfers/fee`]: (asked: Asked): unknown => {
    const amount = Number(queryOf(asked)["amount"]);
    if (Number.isNaN(amount) || amount <= 0) {
      const errors = [{ field: "amount", message: "must be naira above 0" }];
      return refuse(422, "validation_failed", { message: "Check what you sent.", errors });
    }
    return { totalFee: 10.75, totalDebit: amount + 10.75 };
  },
  [`GET ${door}/wallets/balance`]: () => ({ available: 1_000_000 }),
};

async function order(amount: string, replies: Readonly<Record<string, (asked: Asked) => unknown>> = {}) {
  const asked = replyWith({ ...calm, ...replies });
  const place = await drawInConsole(
    <>
      <MakePayout />
      <ProofWindow />
    </>,
    { kind: "LIVE" },
  );
  await press("Make a payout");
  await expect.poll(shown).toContain("GTBank");
  await type("Account number", "0123456789");
  await type("Amount in naira", amount);
  await press("Check name and fee");
  return {
    place,
    asked,
    pays: () => asked.filter(({ path, method }) => method === "POST" && path === `${door}/transfers`),
  };
}

test.each(["0", "-1", "2500,50", "2,5", "abc"])(
  "an amount of %s stops at the tariff, is named, and can be corrected in place",
  async (amount) => {
    const { pays } = await order(amount);
    await expect.poll(shown).toContain("Amount: must be naira above 0");
    expect(hasButton("Back")).toBe(false);
    expect(field("Amount in naira").value).toBe(amount);
    await type("Amount in naira", "₦2,500.50");
    await press("Check name and fee");
    await expect.poll(() => hasButton("Pay ₦2,500.50")).toBe(true);
    expect(shown()).toContain("₦2,511.25");
    expect(pays()).toEqual([]);
  },
);

test("a second press while the first is on its way pays nothing more", async () => {
  const { reply, give } = held();
  const { pays, place } = await order("1500", { [`POST ${door}/transfers`]: () => reply });
  await expect.poll(() => hasButton("Pay ₦1,500.00")).toBe(true);
  await press("Pay ₦1,500.00");
  expect(button("One moment")).toHaveProperty("disabled", true);
  await press("One moment");
  await settle(() => give({ id: "t-1" }));
  await expect.poll(place).toBe("/env-1/transfers/t-1");
  expect(pays()).toHaveLength(1);
});

test("live money wants a proof first; then the very same payout goes out, once", async () => {
  let proven = false;
  const { pays, place, asked } = await order("1500", {
    [`POST ${door}/transfers`]: () =>
      proven ? { id: "t-1" } : refuse(403, "proof_needed", { data: { ways: ["password"] } }),
    "POST /console/api/prove": () => {
      proven = true;
      return {};
    },
  });
  await expect.poll(() => hasButton("Pay ₦1,500.00")).toBe(true);
  await press("Pay ₦1,500.00");
  await expect.poll(shown).toContain("Confirm it's you");
  await type("Your password", "four words are good");
  await press("Confirm");
  await expect.poll(place).toBe("/env-1/transfers/t-1");
  const [refused, paid] = pays();
  expect(paid?.body).toEqual(refused?.body);
  expect(paid?.headers["idempotency-key"]).toBe(refused?.headers["idempotency-key"]);
  expect(asked.filter(({ path }) => path.endsWith("/prove")).map(({ body }) => body)).toEqual([
    { password: "four words are good" },
  ]);
});

test("who does not prove it has paid nothing, and is told so", async () => {
  const { pays } = await order("1500", {
    [`POST ${door}/transfers`]: () =>
      refuse(403, "proof_needed", { message: "Prove it.", data: { ways: ["password"] } }),
  });
  await expect.poll(() => hasButton("Pay ₦1,500.00")).toBe(true);
  await press("Pay ₦1,500.00");
  await expect.poll(shown).toContain("Confirm it's you");
  await press("Cancel");
  await expect.poll(shown).toContain("Nothing was done. Try again, and confirm that it is you.");
  expect(pays()).toHaveLength(1);
});

test("a wallet that is too small is told in the server's words, and the order stands", async () => {
  await order("1500", {
    [`POST ${door}/transfers`]: () => refuse(422, "insufficient_funds", { message: "The wallet is short of ₦510.75." }),
  });
  await expect.poll(() => hasButton("Pay ₦1,500.00")).toBe(true);
  await press("Pay ₦1,500.00");
  await expect.poll(shown).toContain("The wallet is short of ₦510.75.");
  expect(shown()).toContain("0123456789 · GTBank");
  expect(button("Pay ₦1,500.00")).toHaveProperty("disabled", false);
});

test("the window can be closed at any time, and begins anew when it is opened again", async () => {
  const { pays } = await order("1500");
  await expect.poll(() => hasButton("Pay ₦1,500.00")).toBe(true);
  await press("Close");
  expect(document.querySelector("[role=dialog]")).toBeNull();
  await press("Make a payout");
  expect(field("Amount in naira").value).toBe("");
  expect(pays()).toEqual([]);
});
