import { expect, test } from "vitest";
import { button, field, hasButton, press, shown, type } from "../../testing/draw.tsx";
import { type Asked, brokenLine, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { MakePayout } from "./make-payout.tsx";

const calm = {
  [`GET ${door}/transfers/banks`]: () => [
    { code: "044", name: "Access Bank" },
    { code: "058", name: "GTBank" },
  ],
  [`GET ${door}/transfers/name-enquiry`]: () => ({
    accountName: "ADA <b>OBI</b>",
    bankName: "GTBank",
    nameEnquiryReference: `enquiry-${Math.random()}`,
  }),
  [`GET ${door}/transfers/fee`]: () => ({ totalFee: 10.75, totalDebit: 1_510.75 }),
  [`GET ${door}/wallets/balance`]: () => ({ available: 999_999_999_999.99 }),
};
const paths = (asked: readonly Asked[]) => asked.map(({ path }) => path.slice(door.length));
const bodies = (asked: readonly Asked[]) =>
  asked.filter(({ method }) => method === "POST").map(({ body }) => body as Record<string, unknown>);

async function fill({ amount = "1,500", account = "0123456789" } = {}) {
  await press("Make a payout");
  await expect.poll(() => shown()).toContain("GTBank");
  await type("Account number", account);
  await type("Amount in naira", amount);
}

async function check() {
  await press("Check name and fee");
  await expect.poll(() => hasButton("Back")).toBe(true);
}

test("asks bank, tariff and wallet, and shows all of it before anything is paid", async () => {
  const asked = replyWith(calm);
  await drawInConsole(<MakePayout />, { kind: "LIVE" });
  await fill();
  expect(shown()).toContain("Real money leaves your wallet.");
  await check();
  for (const text of [
    "ADA <b>OBI</b>",
    "0123456789 · GTBank",
    "₦1,500.00",
    "₦10.75",
    "₦1,510.75",
    "₦999,999,999,999.99",
  ])
    expect(shown()).toContain(text);
  expect(button("Pay ₦1,500.00")).toBeDefined();
  expect(bodies(asked)).toEqual([]);
});

test.each(["₦1,500", "1500", " 1 500 ", "1,500.00"])("the amount %j is asked and paid as 1500", async (amount) => {
  const asked = replyWith({ ...calm, [`POST ${door}/transfers`]: () => ({ id: "t-1" }) });
  const place = await drawInConsole(<MakePayout />);
  await fill({ amount });
  await check();
  expect(paths(asked)).toContain(`/transfers/fee?amount=${amount.includes(".") ? "1500.00" : "1500"}&currency=NGN`);
  await press("Pay ₦1,500.00");
  await expect.poll(() => place()).toBe("/env-1/transfers/t-1");
  expect(bodies(asked)).toMatchObject([
    { amount: 1500, bankCode: "058", accountNumber: "0123456789", currency: "NGN" },
  ]);
  expect(bodies(asked)[0]).not.toHaveProperty("narration");
});

test("who goes back after a broken line and sends the same again pays under the same reference", async () => {
  const asked = replyWith({ ...calm, [`POST ${door}/transfers`]: brokenLine });
  await drawInConsole(<MakePayout />);
  await fill();
  await check();
  await press("Pay ₦1,500.00");
  await expect.poll(() => shown()).toContain("We could not reach the server.");
  await press("Back");
  await check();
  await press("Pay ₦1,500.00");
  await expect.poll(() => bodies(asked)).toHaveLength(2);
  const [first, second] = bodies(asked);
  expect(second?.["reference"]).toBe(first?.["reference"]);
});

test("who goes back and changes the order makes another payout", async () => {
  const asked = replyWith({ ...calm, [`POST ${door}/transfers`]: () => refuse(422, "insufficient_funds") });
  await drawInConsole(<MakePayout />);
  await fill();
  await check();
  await press("Pay ₦1,500.00");
  await press("Back");
  expect(field("Amount in naira").value).toBe("1500");
  await type("Amount in naira", "20");
  await check();
  await press("Pay ₦20.00");
  await expect.poll(() => bodies(asked)).toHaveLength(2);
  const [first, second] = bodies(asked);
  expect(second?.["reference"]).not.toBe(first?.["reference"]);
});

test("a bank that does not know the account is told in the form, which stays filled in", async () => {
  const refusal = () => refuse(422, "account_not_found", { message: "The bank knows no such account." });
  replyWith({ ...calm, [`GET ${door}/transfers/name-enquiry`]: refusal });
  await drawInConsole(<MakePayout />);
  await fill();
  await press("Check name and fee");
  await expect.poll(() => shown()).toContain("The bank knows no such account.");
  expect(field("Account number").value).toBe("0123456789");
  expect(button("Check name and fee")).toHaveProperty("disabled", false);
});

test("more than one person may pay alone is asked of a second, with the name that was seen", async () => {
  const needed = () => refuse(403, "approval_needed", { data: { limit: 1000, spent: 250.5 } });
  const asked = replyWith({
    ...calm,
    [`POST ${door}/transfers`]: needed,
    [`POST ${door}/approvals`]: () => ({ id: "a-1" }),
  });
  const place = await drawInConsole(<MakePayout />);
  await fill();
  await check();
  await press("Pay ₦1,500.00");
  await expect.poll(shown).toContain("You may pay ₦1,000.00 alone within 24 hours and have paid ₦250.50.");
  await type("Note for the second person", "  rent ");
  await press("Ask for approval");
  await expect.poll(() => place()).toBe("/env-1/approvals/a-1");
  const [tried, question] = bodies(asked);
  expect(question).toMatchObject({
    note: "rent",
    payout: { accountName: "ADA <b>OBI</b>", reference: tried?.["reference"], amount: 1500 },
  });
  expect(question?.["payout"]).not.toHaveProperty("nameEnquiryReference");
});

test("the same payout of three minutes ago stops, and is paid again only by a second, deliberate press", async () => {
  const repeated = {
    paymentId: "p-1",
    kind: "payout",
    isWaiting: false,
    recordId: "t-0",
    amount: 1_500,
    paidAt: "2026-11-18T23:53:10.000Z",
    paidBy: "Ada Obi",
    isOwn: true,
    secondsAgo: 190,
    repeatedCount: 1,
  };
  const asked = replyWith({
    ...calm,
    [`POST ${door}/transfers`]: ({ headers }) =>
      headers["x-jara-pay-again"] === "p-1" ? { id: "t-2" } : refuse(409, "payment_repeated", { data: repeated }),
  });
  const place = await drawInConsole(<MakePayout />);
  await fill();
  await check();
  await press("Pay ₦1,500.00");
  await expect.poll(() => shown()).toContain("You paid ₦1,500.00 to ADA <b>OBI</b> 3 minutes ago.");
  expect(hasButton("Pay ₦1,500.00")).toBe(false);
  expect(button("See that payout").getAttribute("href")).toBe("/env-1/transfers/t-0");
  await press("Pay ₦1,500.00 again");
  await expect.poll(() => place()).toBe("/env-1/transfers/t-2");
  expect(bodies(asked)).toHaveLength(2);
});
