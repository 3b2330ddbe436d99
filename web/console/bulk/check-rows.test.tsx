/** What becomes of each row before it is paid: corrected, agreed to, left out, or stopped because it was paid before. */
import { expect, test } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { CheckRows } from "./check-rows.tsx";
import type { DraftRow } from "./payout-file.ts";

const row = (line: number, cells: Partial<DraftRow["cells"]> = {}): DraftRow => ({
  line,
  cells: {
    accountNumber: `000000000${line}`,
    bankCode: "058",
    amount: "1000",
    name: "",
    reference: "",
    narration: "",
    ...cells,
  },
});
const asksFor = ({ path }: Asked) => new URLSearchParams(path.split("?")[1]);
const nameOf = (asked: Asked) => ({
  accountName: `HOLDER ${asksFor(asked).get("accountNumber")}`,
  bankName: "Guaranty Trust Bank",
  nameMatches: asksFor(asked).has("accountName") ? asksFor(asked).get("accountName") === "Fits" : null,
});
interface Sent {
  readonly transfers: readonly { readonly amount: number }[];
}
const reviewOf = ({ body }: Asked, more: object = {}) => {
  const { transfers } = body as Sent;
  const totalAmount = transfers.reduce((sum, { amount }) => sum + amount, 0);
  const debit = { totalAmount, totalFee: 10, totalDebit: totalAmount + 10, available: 5_000 };
  const rest = { rejected: [], repeated: null, payableCount: transfers.length };
  return { reference: "abc123", ...debit, availableAfter: 5_000 - totalAmount - 10, ...rest, ...more };
};
const reviewPath = `POST ${door}/transfers/bulk/review`;
const calm: Readonly<Record<string, (asked: Asked) => unknown>> = {
  [`GET ${door}/transfers/name-enquiry`]: nameOf,
  [reviewPath]: (asked) => reviewOf(asked),
};
const repeated = {
  paymentId: "p-000001",
  kind: "batch",
  isWaiting: false,
  recordId: "b-0",
  amount: 2_000,
  paidAt: "2026-11-18T23:53:10.000Z",
  paidBy: "Ada",
  isOwn: false,
  secondsAgo: 190,
  repeatedCount: 2,
};
const payButton = (text: string) => button(text) as HTMLButtonElement;
const orders = (asked: readonly Asked[]) =>
  asked.filter(({ method, path }) => method === "POST" && path === `${door}/transfers/bulk`);

async function open(rows: readonly DraftRow[], replies: typeof calm = {}) {
  const asked = replyWith({ ...calm, ...replies });
  const place = await drawInConsole(<CheckRows rows={rows} batch="may" onBack={() => undefined} />);
  await settle();
  return { asked, place };
}
const tick = (index = 0) =>
  settle(() => document.querySelectorAll<HTMLInputElement>("input[type=checkbox]")[index]?.click());

test("the whole way: the sum in words and the wallet afterwards, then each good row with its bank's name", async () => {
  const { asked, place } = await open(
    [row(2, { narration: "Rent", reference: "may-ada" }), row(3, { amount: "nothing" }), row(4)],
    { [`POST ${door}/transfers/bulk`]: () => ({ batchId: "b-1" }) },
  );
  await expect.poll(shown).toContain("1 to correct, 2 ready");
  await expect.poll(() => payButton("Review and pay 2 of 3").disabled).toBe(false);
  await press("Review and pay 2 of 3");
  for (const text of ["Pay 2 people?", "Two thousand naira only", "₦2,010.00", "₦2,990.00", "1 row left out."]) {
    expect(shown()).toContain(text);
  }
  await press("Pay ₦2,000.00");
  await expect.poll(place).toBe("/env-1/bulk/b-1");
  const [order] = orders(asked);
  expect(order?.body).toEqual({
    batchReference: "may-abc123",
    currency: "NGN",
    transfers: [
      {
        accountNumber: "0000000002",
        bankCode: "058",
        amount: 1_000,
        reference: "may-ada",
        narration: "Rent",
        accountName: "HOLDER 0000000002",
      },
      {
        accountNumber: "0000000004",
        bankCode: "058",
        amount: 1_000,
        reference: "may-abc123-4",
        accountName: "HOLDER 0000000004",
      },
    ],
    leftOut: [
      {
        reference: "Line 3",
        reason: "Enter naira with at most two decimals, such as 2500.50.",
        accountNumber: "0000000003",
        bankCode: "058",
      },
    ],
  });
});

test("a missing zero is proposed, and the row is left out until somebody ticks it", async () => {
  await open([row(2), row(3, { accountNumber: "123456789" })]);
  await expect.poll(shown).toContain("1 to confirm, 1 ready");
  expect(shown()).toContain("The file has 123456789, without a zero at the front. Pay 0123456789?");
  expect(payButton("Review and pay 1 of 2")).toBeDefined();
  await tick();
  await expect.poll(() => payButton("Review and pay 2 of 2").disabled).toBe(false);
  await tick();
  expect(payButton("Review and pay 1 of 2")).toBeDefined();
});

test("a doubtful row is not ticked while its bank is asked, and not part of the totals", async () => {
  const slow = held();
  const { asked } = await open([row(2, { accountNumber: "123456789" })], {
    [`GET ${door}/transfers/name-enquiry`]: () => slow.reply,
  });
  expect(document.querySelector<HTMLInputElement>("input[type=checkbox]")?.checked).toBe(false);
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await settle(() => slow.give({ accountName: "ADA OBI", bankName: "B", nameMatches: null }));
  await expect.poll(shown).toContain("1 to confirm, 0 ready");
});

test("a paid row whose reference is used up is one question and no mistake", async () => {
  const rejected = [{ index: 0, reference: "may-ada", code: "reference_conflict", message: "Used before." }];
  await open([row(2, { reference: "may-ada" })], {
    [reviewPath]: (asked) => {
      const isOwn = JSON.stringify(asked.body).includes('"may-ada"');
      const past = { ...repeated, repeatedCount: 1, indexes: [0] };
      return reviewOf(asked, { repeated: past, rejected: isOwn ? rejected : [] });
    },
  });
  await expect.poll(shown).toContain("This file was paid on 19 Nov 2026 00:53 by Ada.");
  expect(shown()).not.toContain("Used before.");
  await press("Pay it again");
  await expect.poll(() => payButton("Review and pay 1 of 1").disabled).toBe(false);
});

test("a short account number is a mistake and no bank is asked, until it is corrected in its row", async () => {
  const { asked } = await open([row(2, { accountNumber: "12345" })]);
  expect(shown()).toContain("1 to correct, 0 ready");
  expect(shown()).toContain("The account number has 5 digits. It needs ten.");
  expect(asked.filter(({ path }) => path.includes("name-enquiry"))).toEqual([]);
  await press("Correct line 2");
  await type("Account number", "0123456789");
  await press("Save");
  await expect.poll(shown).toContain("HOLDER 0123456789");
  await expect.poll(() => payButton("Review and pay 1 of 1").disabled).toBe(false);
});

test("another name than the file's stands out, and is paid only when somebody agrees", async () => {
  await open([row(2, { name: "Fits" }), row(3, { name: "Ada Obi" })]);
  await expect.poll(shown).toContain("The file says Ada Obi. The bank says HOLDER 0000000003.");
  expect(shown()).not.toContain("The file says Fits");
  expect(payButton("Review and pay 1 of 2")).toBeDefined();
  await tick();
  await expect.poll(() => payButton("Review and pay 2 of 2").disabled).toBe(false);
});

test("a file that was paid stops, and a second step pays it under new references", async () => {
  const review = (asked: Asked) => reviewOf(asked, { repeated: { ...repeated, indexes: [0, 1] } });
  const { asked, place } = await open([row(2, { reference: "may-ada" }), row(3)], {
    [reviewPath]: review,
    [`POST ${door}/transfers/bulk`]: () => ({ batchId: "b-2" }),
  });
  await expect.poll(shown).toContain("This file was paid on 19 Nov 2026 00:53 by Ada.");
  expect(shown()).toContain("Pay it again?");
  expect(button("See that batch").getAttribute("href")).toBe("/env-1/bulk/b-0");
  expect(payButton("Review and pay 2 of 2").disabled).toBe(true);
  await press("Pay it again");
  await expect.poll(() => payButton("Review and pay 2 of 2").disabled).toBe(false);
  await press("Review and pay 2 of 2");
  await press("Pay ₦2,000.00");
  await expect.poll(place).toBe("/env-1/bulk/b-2");
  const [order] = orders(asked);
  expect(order?.headers["x-jara-pay-again"]).toBe("p-000001");
  expect(order?.body).toMatchObject({ transfers: [{ reference: "may-ada-000001" }, { reference: "may-abc123-3" }] });
});

test("rows that a batch has paid can be taken out, so that only the others are paid", async () => {
  const review = (asked: Asked) => {
    const isWhole = (asked.body as Sent).transfers.length === 2;
    return reviewOf(asked, isWhole ? { repeated: { ...repeated, repeatedCount: 1, indexes: [1] } } : {});
  };
  await open([row(2), row(3)], { [reviewPath]: review });
  await expect.poll(shown).toContain("1 of 2 rows was paid on 19 Nov 2026 00:53 by Ada.");
  expect(shown()).toContain("A batch of the last seven days paid this row.");
  await press("Take out 1 row");
  await expect.poll(() => payButton("Review and pay 1 of 2").disabled).toBe(false);
  expect(hasButton("Pay it again")).toBe(false);
});

test("who is a moment too late is shown who was faster", async () => {
  let isPaid = false;
  await open([row(2), row(3)], {
    [reviewPath]: (asked) => reviewOf(asked, isPaid ? { repeated: { ...repeated, indexes: [0, 1] } } : {}),
    [`POST ${door}/transfers/bulk`]: () => {
      isPaid = true;
      return refuse(409, "payment_repeated", { data: repeated });
    },
  });
  await expect.poll(() => payButton("Review and pay 2 of 2").disabled).toBe(false);
  await press("Review and pay 2 of 2");
  await press("Pay ₦2,000.00");
  await expect.poll(shown).toContain("This file was paid on 19 Nov 2026 00:53 by Ada.");
});

test("a wallet that is too low is said in naira, and nothing can be paid", async () => {
  await open([row(2, { amount: "44990" })]);
  await expect.poll(shown).toContain("The wallet is ₦40,000.00 short. Fund it or take out rows.");
  expect(payButton("Review and pay 1 of 1").disabled).toBe(true);
});

test("what the server says against a row stands at the row", async () => {
  const rejected = [{ index: 0, reference: "x", code: "amount_below_minimum", message: "The smallest is 100.00." }];
  await open([row(2, { amount: "5" })], { [reviewPath]: (asked) => reviewOf(asked, { rejected }) });
  await expect.poll(shown).toContain("The smallest is 100.00.");
  expect(payButton("Review and pay 0 of 1").disabled).toBe(true);
});

test("nothing can be paid before every bank was asked", async () => {
  const slow = held();
  await open([row(2), row(3)], {
    [`GET ${door}/transfers/name-enquiry`]: (asked) => (asked.path.includes("0000000003") ? slow.reply : nameOf(asked)),
  });
  expect(shown()).toContain("Asking the banks: 1 of 2");
  expect(payButton("Review and pay 1 of 2").disabled).toBe(true);
  await settle(() => slow.give({ accountName: "LATE", bankName: "B", nameMatches: null }));
  await expect.poll(() => payButton("Review and pay 2 of 2").disabled).toBe(false);
});

test("an account that its bank does not know is not paid, and says so in its row", async () => {
  const refused = () => refuse(422, "account_not_found", { message: "The bank knows no such account." });
  await open([row(2)], { [`GET ${door}/transfers/name-enquiry`]: refused });
  await expect.poll(shown).toContain("The bank knows no such account.");
  expect(payButton("Review and pay 0 of 1").disabled).toBe(true);
});

test("a second press is the same request: same references, same key", async () => {
  const { asked } = await open([row(2)], { [`POST ${door}/transfers/bulk`]: () => refuse(503, "unavailable") });
  await expect.poll(() => payButton("Review and pay 1 of 1").disabled).toBe(false);
  await press("Review and pay 1 of 1");
  await press("Pay ₦1,000.00");
  await press("Pay ₦1,000.00");
  const [first, second] = orders(asked);
  expect(second?.body).toEqual(first?.body);
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
});
