/** No operator is offered what their role may not do, and everybody what it may. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasButton } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { pages } from "../testing/lists.ts";
import { ConnectionPage } from "./connection-page.tsx";
import { IncidentPage, IncidentsPage } from "./incident-pages.tsx";
import { MerchantsPage } from "./merchants-page.tsx";
import { operatorMayChange } from "./operator-may-change.ts";
import { OperatorBillPage, OperatorPayoutPage } from "./payment-page.tsx";
import { RunPage } from "./run-page.tsx";
import { SuspensePage } from "./suspense-page.tsx";
import { VerificationsPage } from "./verification-pages.tsx";

afterEach(() => vi.restoreAllMocks());

const at = "2026-11-16T18:45:31.284Z";
const payment = { id: "x-1", environment: "LIVE", reference: "o", amount: 1, status: "processing", rail: null };
const incident = { id: "x-1", source: "operator", title: "Slow", condition: "slow", parts: ["bank"], updates: [] };
const connection = { id: "x-1", provider: "paystack", name: "Main", mode: "live", ports: [], checks: [] };
const health = { state: "ok", calls: 0, unanswered: 0 };
const exception = { id: "e-1", kind: "amount_differs", ours: null, theirs: null, ageDays: 0, reason: null };
const run = { id: "x-1", date: "2026-11-15", version: 1, state: "exceptions", requestedBy: "a", counts: null };
const received = { id: "s-1", state: "open", reason: "r", provider: "p", amount: 1, currency: "NGN", paidAt: at };
const replies = {
  [`GET ${operatorPath}/merchants`]: pages([]),
  [`GET ${operatorPath}/incidents?`]: pages([]),
  [`GET ${operatorPath}/incidents/x-1`]: () => ({
    ...incident,
    state: "identified",
    startedAt: at,
    endedAt: null,
    withdrawnAt: null,
  }),
  [`GET ${operatorPath}/connections/x-1`]: () => ({
    ...connection,
    state: "active",
    hold: null,
    float: null,
    health,
    checkedAt: at,
  }),
  [`GET ${operatorPath}/transfers/x-1`]: () => ({ ...payment, createdAt: at, completedAt: null, failureReason: null }),
  [`GET ${operatorPath}/bills/x-1`]: () => ({ ...payment, createdAt: at, completedAt: null, failureReason: null }),
  [`GET ${operatorPath}/traces/x-1`]: () => ({ id: "x-1", steps: [] }),
  [`GET ${operatorPath}/reconciliations/x-1`]: () => ({
    ...run,
    failure: null,
    completedAt: at,
    exceptions: [{ ...exception, closedAt: null, resolvedBy: null }],
  }),
  [`GET ${operatorPath}/suspense`]: pages([{ ...received, accountNumber: null, senderName: null }]),
  [`GET ${operatorPath}/verifications`]: pages([]),
};

const offers = [
  ["merchants", <MerchantsPage key="m" />, ["Add a merchant"]],
  ["incidents", <IncidentsPage key="is" />, ["Report incident"]],
  ["incidents", <IncidentPage key="i" />, ["Withdraw", "Post update"]],
  ["checks", <ConnectionPage key="c1" />, ["Check"]],
  ["reconciliations", <ConnectionPage key="c2" />, ["Compare a day"]],
  ["connections", <ConnectionPage key="c3" />, ["Pause"]],
  ["payments", <OperatorPayoutPage key="p" />, ["End by hand"]],
  ["payments", <OperatorBillPage key="b" />, ["End by hand"]],
  ["reconciliations", <RunPage key="r" />, ["Resolve"]],
  ["suspense", <SuspensePage key="s" />, ["Assign"]],
  ["verifications", <VerificationsPage key="v" />, ["Verify now"]],
] as const;

describe.each(["admin", "support", "reconciliation", "a_role_of_tomorrow"])("an operator of the role %s", (role) => {
  test.each(offers)("is offered what changes %s where the role may", async (change, page, names) => {
    replyWith(replies);
    await drawInConsole(page, { house: "operator", operatorRole: role, address: "/here/x-1" });
    expect(names.filter(hasButton)).toEqual(operatorMayChange(role, change) ? names : []);
  });
});

test.each([undefined, "", "constructor", "__proto__"])("who is no operator (%j) is offered nothing", (role) => {
  expect(operatorMayChange(role, "merchants")).toBe(false);
});
