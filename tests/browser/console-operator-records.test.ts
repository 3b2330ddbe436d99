/** Records that a fresh server has none of: what the pages show is given to them as the API would say it. */
import { test } from "vitest";
import { enterConsole } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

const id = "01932c5e-0000-7000-8000-000000000001";
const at = "2026-11-17T01:15:00.000Z";

const connection = {
  id,
  provider: "paystack",
  name: "Paystack payouts",
  mode: "live",
  ports: ["bank", "card"],
  state: "active",
  hold: { message: "Your balance is not enough", advice: "Top up the float, then check again.", since: at },
  float: { available: 1250.5, readAt: at },
  health: { state: "ok", calls: 20, unanswered: 1 },
  checkedAt: at,
  checks: [
    { name: "credentials", ok: true, result: "passed", message: "The key is accepted." },
    { name: "float", ok: false, result: "failed", message: "The balance is below the smallest payout." },
  ],
};
const run = {
  id,
  date: "2026-11-16",
  version: 2,
  state: "exceptions",
  requestedBy: "nightly",
  counts: { orders: 120, records: 119, agreed: 118, waiting: 0, exceptions: 1 },
  totals: [],
  failure: null,
  completedAt: at,
  exceptions: [
    {
      id,
      kind: "amount_differs",
      ours: { amount: 2_500, status: "success", orderId: "999001261103101500000000000042" },
      theirs: { amount: 2_400, status: "success", reference: "TRF_1" },
      ageDays: 3,
      closedAt: null,
      resolvedBy: null,
      reason: null,
    },
  ],
};
const verification = {
  id,
  state: "contradictions",
  requestedBy: "nightly",
  environments: 12,
  checks: 180,
  contradictions: 1,
  failure: null,
  createdAt: at,
  startedAt: at,
  endedAt: at,
  found: [{ environmentId: id, check: "balance equals entries", subject: id, expected: "5000", found: "4999" }],
};
const suspense = {
  id,
  state: "open",
  reason: "unknown_account",
  provider: "paystack",
  amount: 75_000,
  currency: "NGN",
  accountNumber: "9930000020",
  senderName: "CHIDINMA OKAFOR",
  paidAt: at,
};
const unknown = {
  type: "transfer",
  id,
  environment: "LIVE",
  reference: "payout-1042",
  amount: 2_500,
  queries: 7,
  sentAt: at,
  ageSeconds: 4_210,
  clocks: [
    { name: "returned", seconds: 600, over: true },
    { name: "resolved", seconds: 86_400, over: false },
  ],
  rail: { provider: "paystack" },
};

const records = [
  [`/connections/${id}`, `/connections/${id}`, connection, "Top up the float"],
  [`/reconciliation/${id}`, `/reconciliations/${id}`, run, "Amount differs"],
  [`/verifications/${id}`, `/verifications/${id}`, verification, "balance equals entries"],
  ["/suspense", "/suspense?*", [suspense], "CHIDINMA OKAFOR"],
  ["/unknowns", "/unknowns?*", [unknown], "payout-1042"],
] as const;

describeInBrowser("the operator's records", (world) => {
  test.each(records)("%s is shown on a desk and on a phone", async (path, read, data, text) => {
    const { page, openOperator } = await enterConsole(world);
    await page.route(`**/console/api/operator${read}`, (route) =>
      route.fulfill({ json: { status: true, message: "Retrieved.", data } }),
    );
    await openOperator(path);
    await page.getByText(text).first().waitFor();
    await inspect(page, `console-operator-record${path.split("/", 2).join("-")}`, "quickly");
  });
});
