/** Console payouts that need a second person's approval. */
import { afterEach, expect, test, vi } from "vitest";
import { ApiProblem } from "../../shared/call-api.ts";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, held, refuse, replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { cells, pages, queryOf, screenIs } from "../testing/lists.ts";
import type { ApprovalDetail, OrderedPayout } from "./approval.ts";
import { ApprovalsPage } from "./approvals-page.tsx";
import { PayFailure } from "./ask-approval.tsx";
import { OrderedPayouts } from "./ordered-payouts.tsx";

afterEach(() => vi.restoreAllMocks());

const payout = (number: number, more: Partial<OrderedPayout> = {}): OrderedPayout => ({
  reference: `may-${number}`,
  accountNumber: `000000000${number}`,
  bankCode: "058",
  bankName: "GTBank",
  amount: 100,
  narration: null,
  accountName: `HOLDER ${number}`,
  ...more,
});
const approval: ApprovalDetail = {
  id: "a-1",
  kind: "batch",
  status: "waiting",
  reference: "may-1234",
  amount: 1_500.5,
  payoutCount: 2,
  note: null,
  requestedBy: "bola@example.com",
  isOwn: false,
  createdAt: "2026-11-16T23:30:00.000Z",
  expiresAt: "2026-11-17T23:30:00.000Z",
  decidedBy: null,
  decidedAt: null,
  reason: null,
  transferId: null,
  batchId: null,
  payouts: [payout(1), payout(2)],
  preview: null,
};

test("the list tells who asked, and calls oneself by no name", async () => {
  screenIs("wide");
  replyWith({
    [`GET ${door}/approval-limits`]: () => ({ amount: null, setBy: null, setAt: null, spent: 0 }),
    [`GET ${door}/approvals`]: pages([approval, { ...approval, id: "a-2", isOwn: true, payoutCount: 1_000 }]),
  });
  await drawInConsole(<ApprovalsPage />);
  expect(cells().map((row) => row.slice(0, 6))).toEqual([
    ["may-1234", "₦1,500.50", "2", "Waiting", "bola@example.com", "–"],
    ["may-1234", "₦1,500.50", "1,000", "Waiting", "You", "–"],
  ]);
});

test("a limit that cannot be read does not hide what waits", async () => {
  replyWith({
    [`GET ${door}/approval-limits`]: () => refuse(503, "unavailable", { message: "No limit now." }),
    [`GET ${door}/approvals`]: pages([approval]),
  });
  await drawInConsole(<ApprovalsPage />);
  expect(shown()).toContain("No limit now.");
  expect(shown()).toContain("may-1234");
});

const named = (asked: Asked) => {
  const { accountNumber = "", accountName: expected } = queryOf(asked);
  const accountName = `HOLDER ${accountNumber.slice(-1)}`;
  return { accountName, nameMatches: expected === accountName };
};

async function openPayouts(more: Partial<ApprovalDetail> = {}, answer: (asked: Asked) => unknown = named) {
  const asked = replyWith({ [`GET ${door}/transfers/name-enquiry`]: answer });
  await drawInConsole(<OrderedPayouts approval={{ ...approval, ...more }} />);
  return asked;
}
const rows = () => [...document.querySelectorAll("li")].map((row) => row.textContent);

test("the banks are asked again for whoever decides, and agree", async () => {
  await openPayouts();
  await expect.poll(shown).toContain("The banks named 2 of 2 now.");
  expect(rows()[0]).toBe("HOLDER 1The bank says HOLDER 10000000001 · GTBank · may-1Verified₦100.00");
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("a holder who has changed since stands out, and so does an account that is gone", async () => {
  const answer = (asked: Asked) =>
    queryOf(asked)["accountNumber"] === "0000000001"
      ? { accountName: "SOMEBODY ELSE", nameMatches: false }
      : refuse(422, "account_not_found", { message: "No such account." });
  await openPayouts({}, answer);
  await expect.poll(shown).toContain("2 of them have another name now, or none. Look before you agree.");
  expect(rows()[0]).toContain("The bank says SOMEBODY ELSE");
  expect(rows()[1]).toContain("No such account.");
});

test("of one such holder it speaks as of one", async () => {
  await openPayouts({ payouts: [payout(1, { accountName: "OTHER" })] });
  await expect.poll(shown).toContain("1 of them has another name now, or none.");
});

test.each(["constructor", "__proto__", "toString"])(
  "an order that is called %s waits for its bank",
  async (reference) => {
    const { reply, give } = held();
    await openPayouts({ payouts: [payout(1, { reference })] }, () => reply);
    expect(shown()).toContain("The banks named 0 of 1 now.");
    expect(rows()[0]).toBe(`HOLDER 10000000001 · GTBank · ${reference}₦100.00`);
    await settle(() => give({ accountName: "HOLDER 1" }));
    await expect.poll(shown).toContain("The banks named 1 of 1 now.");
    expect(rows()[0]).toContain("The bank says HOLDER 1");
  },
);

test("more than fifty banks are asked only when somebody wants it", async () => {
  const payouts = Array.from({ length: 51 }, (_, at) => payout(at));
  const asked = await openPayouts({ payouts });
  expect(asked).toEqual([]);
  expect(shown()).not.toContain("The banks named");
  await press("Ask the banks now");
  await expect.poll(shown).toContain("The banks named 51 of 51 now.");
  expect(asked).toHaveLength(51);
});

test.each(["approved", "rejected", "expired"] as const)("for an order that is %s no bank is asked", async (status) => {
  const asked = await openPayouts({ status });
  expect(asked).toEqual([]);
  expect(shown()).not.toContain("The banks named");
});

test("a single payout's bank is asked by the server, not by this list", async () => {
  const asked = await openPayouts({ kind: "payout", payouts: [payout(1, { accountName: null, bankName: null })] });
  expect(asked).toEqual([]);
  expect(rows()[0]).toBe("00000000010000000001 · 058 · may-1₦100.00");
});

const needed = new ApiProblem({
  status: 403,
  code: "approval_needed",
  message: "",
  errors: [],
  data: { limit: 1_000, spent: 0 },
  waitSeconds: null,
});

test("a question is asked once, under one key, however often it is pressed", async () => {
  const { reply, give } = held();
  const asked = replyWith({ [`POST ${door}/approvals`]: () => reply });
  const place = await drawInConsole(<PayFailure error={needed} order={{ payout: { amount: 5 } }} />);
  await press("Ask for approval");
  expect(button("One moment")).toHaveProperty("disabled", true);
  await press("One moment");
  await settle(() => give({ id: "a-9" }));
  await expect.poll(place).toBe("/env-1/approvals/a-9");
  expect(asked.map(({ body }) => body)).toEqual([{ payout: { amount: 5 } }]);
});

test("a question that is refused says why, and can be asked again under the same key", async () => {
  let times = 0;
  const asked = replyWith({
    [`POST ${door}/approvals`]: () =>
      times++ === 0 ? refuse(503, "unavailable", { message: "Later." }) : { id: "a-1" },
  });
  await drawInConsole(<PayFailure error={needed} order={{ batch: {} }} />);
  await type("Note for the second person", "<b>rent</b>");
  await press("Ask for approval");
  await expect.poll(shown).toContain("Later.");
  await press("Ask for approval");
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[1]?.headers["idempotency-key"]).toBe(asked[0]?.headers["idempotency-key"]);
  expect(asked[1]?.body).toEqual({ batch: {}, note: "<b>rent</b>" });
});

test("any other refusal is told as it is, and asks for nobody", async () => {
  const other = new ApiProblem({ ...needed.refusal, code: "insufficient_funds", message: "The wallet is too small." });
  await drawInConsole(<PayFailure error={other} order={{ payout: {} }} />);
  expect(shown()).toContain("The wallet is too small.");
  expect(hasButton("Ask for approval")).toBe(false);
});
