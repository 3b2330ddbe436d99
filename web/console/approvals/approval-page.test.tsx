import { expect, test } from "vitest";
import { hasButton, press, shown, type } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { door, drawInConsole } from "../testing/in-console.tsx";
import type { ApprovalDetail } from "./approval.ts";
import { ApprovalPage } from "./approval-page.tsx";
import { LimitPanel } from "./approvals-page.tsx";

const approval: ApprovalDetail = {
  id: "a-1",
  kind: "payout",
  status: "waiting",
  reference: "rent-11",
  amount: 1_500_000.5,
  payoutCount: 1,
  note: null,
  requestedBy: "Chidi",
  isOwn: false,
  createdAt: "2026-11-17T08:00:00.000Z",
  expiresAt: "2026-11-24T08:00:00.000Z",
  decidedBy: null,
  decidedAt: null,
  reason: null,
  transferId: null,
  batchId: null,
  payouts: [],
  preview: {
    fee: 53.75,
    totalDebit: 1_500_054.25,
    available: 2_000_000,
    availableAfter: 499_945.75,
    bankSays: "ADA OBI",
    refusal: null,
  },
};

async function open(change: Partial<ApprovalDetail> = {}, role = "owner") {
  const asked = replyWith({
    [`GET ${door}/approvals/`]: () => ({ ...approval, ...change }),
    [`POST ${door}/approvals/a-1/approve`]: () => ({}),
    [`POST ${door}/approvals/a-1/reject`]: () => ({}),
  });
  await drawInConsole(<ApprovalPage />, { kind: "LIVE", role });
  await expect.poll(shown).toContain("Requested payment");
  return () => asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.slice(door.length), body]);
}

test("the second person sees the bank's name and the whole cost, and pays exactly that", async () => {
  const sent = await open();
  for (const words of ["₦1,500,000.50 to one account", "ADA OBI", "₦53.75", "₦1,500,054.25", "₦499,945.75"]) {
    expect(shown()).toContain(words);
  }
  await press("Approve and pay");
  expect(shown()).toContain("Real money leaves the wallet.");
  await press("Pay ₦1,500,000.50");
  expect(sent()).toEqual([["/approvals/a-1/approve", undefined]]);
});

test("nobody approves what they asked for themselves; they can take it back, with a reason or without", async () => {
  const sent = await open({ isOwn: true });
  expect(hasButton("Approve and pay")).toBe(false);
  expect(shown()).toContain("Somebody else has to approve it.");
  await press("Take it back");
  await type("Why", "  twice ");
  await press("Take it back");
  expect(sent()).toEqual([["/approvals/a-1/reject", { reason: "twice" }]]);
});

test.each([
  ["owner", true],
  ["finance", true],
  ["developer", false],
  ["support", false],
  ["viewer", false],
])("who may not pay sees what waits and is not asked to decide: %s", async (role, may) => {
  await open({}, role);
  for (const name of ["Approve and pay", "Reject"]) expect(hasButton(name)).toBe(may);
  expect(shown()).toContain("₦1,500,054.25");
});

test("who may no longer pay cannot take back what they asked for before", async () => {
  await open({ isOwn: true }, "viewer");
  expect(hasButton("Take it back")).toBe(false);
  expect(shown()).not.toContain("Somebody else has to approve it.");
});

test.each([
  ["what the bank refuses", { refusal: "The bank knows no such account.", bankSays: null }, "knows no such account"],
  ["what the wallet does not cover", { availableAfter: -1 }, "The wallet does not cover this now."],
])("%s stands out", async (_, change, words) => {
  const { preview } = approval;
  await open({ preview: preview && { ...preview, ...change } });
  expect(document.querySelector("[role=alert]")?.textContent).toContain(words);
});

test.each([
  ["approved", { transferId: "t-1" }, "/env-1/transfers/t-1"],
  ["approved", { batchId: "b-1" }, "/env-1/bulk/b-1"],
  ["rejected", {}, null],
  ["expired", {}, null],
] as const)("what is %s cannot be decided again %j", async (status, made, to) => {
  await open({ status, preview: null, ...made });
  for (const name of ["Approve and pay", "Reject", "Take it back"]) expect(hasButton(name)).toBe(false);
  const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  expect(links).toEqual(to === null ? [] : [to]);
});

test.each([
  ["owner", true],
  ["finance", false],
  ["viewer", false],
])("of the limit a %s may change: %s", async (role, may) => {
  replyWith({});
  await drawInConsole(<LimitPanel limit={{ amount: 5_000, setBy: null, setAt: null, spent: 20 }} />, { role });
  expect(shown()).toContain("At most ₦5,000.00 within 24 hours. You have paid ₦20.00 of it.");
  expect(hasButton("Change the limit")).toBe(may);
});

test.each([
  ["", null],
  ["0", 0],
  ["₦1,000,000.50", 1_000_000.5],
  // Never null: that would take the limit away.
  ["5k", "5k"],
  ["1.000.000", "1.000.000"],
])("a limit typed as %j is sent as %j", async (typed, amount) => {
  const asked = replyWith({ [`PUT ${door}/approval-limits`]: () => ({}) });
  await drawInConsole(<LimitPanel limit={{ amount: null, setBy: null, setAt: null, spent: 0 }} />);
  await press("Change the limit");
  await type("Limit in naira", typed);
  const confirm = [...document.querySelectorAll<HTMLButtonElement>("[role=dialog] [type=submit]")];
  confirm[0]?.click();
  await expect.poll(() => asked.at(-1)?.body).toEqual({ amount });
});
