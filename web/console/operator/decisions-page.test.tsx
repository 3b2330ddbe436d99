/** What waits for an operator's word, and who may give it. */
import { afterEach, expect, test, vi } from "vitest";
import { button, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, pages, savedFiles, screenIs } from "../testing/lists.ts";
import type { Decision } from "./decision.ts";
import { DecisionsPage } from "./decisions-page.tsx";

afterEach(() => vi.restoreAllMocks());

const loan: Decision = {
  kind: "loan",
  id: "l-1",
  customerId: null,
  environmentId: "e-1",
  environment: "LIVE",
  merchant: { id: "m-1", name: "Mama Put" },
  name: "Ada Obi",
  amount: 50_000,
  detail: "3 months",
  since: "2026-11-16T18:45:31.284Z",
  ageSeconds: 7_260,
};
const identity: Decision = {
  ...loan,
  kind: "identity",
  id: "cu-1",
  amount: null,
  detail: null,
  environment: "SANDBOX",
};
const contact: Decision = { ...loan, kind: "contact_change", id: "ch-1", customerId: "cu-1", amount: null };

async function open(rows: readonly Decision[], operatorRole = "admin", reply: () => unknown = () => ({})) {
  screenIs("wide");
  const asked = replyWith({
    [`GET ${operatorPath}/decisions`]: pages(rows),
    [`POST ${operatorPath}/`]: reply,
  });
  await drawInConsole(<DecisionsPage />, { house: "operator", operatorRole });
  return () =>
    asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path.slice(operatorPath.length), body]);
}
async function decide(name: string, reason: string) {
  await press(name);
  await type("Reason", reason);
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
}

test("a row says what is asked, of whom, and for how long", async () => {
  await open([loan]);
  expect(cells()).toEqual([["Ada Obi", "Loan · 3 months", "₦50,000.00", "Mama PutLive", "2 h 1 min", "ApproveReject"]]);
  expect(button("Ada Obi").getAttribute("href")).toBe("/operator/trace/l-1");
  expect(button("Mama Put").getAttribute("href")).toBe("/operator/environments/e-1");
});

test("a customer has no trace, so the name leads nowhere", async () => {
  await open([identity, contact]);
  expect(hasButton("Ada Obi")).toBe(false);
});

test.each([
  ["a loan is approved", loan, "Approve", "/loans/l-1/approve", {}],
  ["a loan is rejected", loan, "Reject", "/loans/l-1/reject", {}],
  ["a payout is begun again", { ...loan, kind: "loan_payout" as const }, "Pay out again", "/loans/l-1/disburse", {}],
  [
    "a purchase is paid out again",
    { ...loan, kind: "checkout_loan_payout" as const },
    "Pay out again",
    "/checkout-loans/l-1/disburse",
    {},
  ],
  ["contact data is taken", contact, "Approve", "/customers/cu-1/contact-changes/ch-1/approve", {}],
  ["contact data is refused", contact, "Reject", "/customers/cu-1/contact-changes/ch-1/reject", {}],
  ["an identity is confirmed", identity, "Confirm", "/customers/cu-1/kyc", { status: "verified" }],
  ["an identity is refused", identity, "Refuse", "/customers/cu-1/kyc", { status: "failed" }],
])("%s with a reason", async (_case, row, answer, path, body) => {
  const sent = await open([row]);
  await decide(answer, " seen the papers ");
  await expect.poll(sent).toEqual([[path, { ...body, reason: "seen the papers" }]]);
});

test("nothing is decided without a reason", async () => {
  const sent = await open([loan]);
  await press("Approve");
  const reason = document.querySelector<HTMLInputElement>("[name=reason]");
  expect(reason?.checkValidity()).toBe(false);
  expect(sent()).toEqual([]);
});

test.each([
  ["support", loan, false],
  ["support", identity, true],
  ["support", contact, true],
  ["reconciliation", identity, false],
  ["reconciliation", loan, false],
] as const)("a person of the role %s decides about this: %o %s", async (role, row, may) => {
  await open([row], role);
  expect(shown().includes("an admin decides")).toBe(!may);
  expect(document.querySelectorAll("td button").length > 0).toBe(may);
});

test("somebody else was quicker: the window says so", async () => {
  await open([loan], "admin", () => refuse(409, "loan_not_pending", { message: "Somebody has decided already." }));
  await decide("Approve", "fine");
  await expect.poll(shown).toContain("Somebody has decided already.");
});

test("the file has a line for each, and no amount where there is none", async () => {
  const files = savedFiles();
  await open([loan, identity]);
  await press("CSV");
  await expect.poll(() => files.has("decisions.csv")).toBe(true);
  const lines = (await files.get("decisions.csv")?.())?.split("\r\n");
  expect(lines?.slice(1, 3)).toEqual([
    "loan,l-1,Ada Obi,Mama Put,LIVE,50000,2026-11-16T18:45:31.284Z",
    "identity,cu-1,Ada Obi,Mama Put,SANDBOX,,2026-11-16T18:45:31.284Z",
  ]);
});

test("an empty desk says what would come to it", async () => {
  await open([]);
  expect(shown()).toContain("No decisions waiting");
  expect(shown()).toContain("Sandboxes decide automatically.");
});
