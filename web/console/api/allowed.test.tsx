/** Nobody is offered what their role may not do, and everybody what it may. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasButton, shown } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { BillsPage } from "../bills/bills-page.tsx";
import { BulkPage } from "../bulk/bulk-page.tsx";
import { SessionPage } from "../customers/session-page.tsx";
import { DevelopersPage } from "../developers/developers-page.tsx";
import { EventPage } from "../events/event-page.tsx";
import { EventsPage } from "../events/events-page.tsx";
import { LoanPage } from "../loans/loan-page.tsx";
import { SandboxPage } from "../sandbox/sandbox-page.tsx";
import { door, drawInConsole } from "../testing/in-console.tsx";
import { pages } from "../testing/lists.ts";
import { TransfersPage } from "../transfers/transfers-page.tsx";
import { mayChange } from "./may-change.ts";

afterEach(() => vi.restoreAllMocks());

const at = "2026-11-16T18:45:31.284Z";
const session = {
  id: "x-1",
  url: null,
  status: "open",
  customer_id: "c",
  loan_id: null,
  order_reference: "o",
  amount: 1,
};
const endpoint = { id: "w-1", url: "https://a.example", events: ["*"], enabled: true, disabledReason: null };
const replies = {
  [`GET ${door}/transfers/banks`]: () => [],
  [`GET ${door}/transfers/bank/health`]: () => [
    { bankCode: "058", bankName: "GTBank", status: "up", successRate: null, sampleSize: 0 },
  ],
  [`GET ${door}/transfers?`]: pages([]),
  [`GET ${door}/bills?`]: pages([]),
  [`GET ${door}/events?`]: pages([]),
  [`GET ${door}/events/x-1/deliveries`]: pages([]),
  [`GET ${door}/events/x-1`]: () => ({ id: "x-1", event: "e", created_at: at, resource_version: 1, data: {} }),
  [`GET ${door}/loans/bnpl/checkout-sessions/x-1`]: () => ({ ...session, items: [], created_at: at, expires_at: at }),
  [`GET ${door}/loans/x-1`]: () => ({
    loan_request: {
      id: "x-1",
      amount: "1",
      status: "pending",
      daas_user: { first_name: "A", last_name: "B" },
      created_at: at,
    },
    loan_details: null,
  }),
  [`GET ${door}/traces`]: () => ({ id: "x-1", steps: [] }),
  [`GET ${door}/webhooks/endpoints`]: pages([{ ...endpoint, failingSince: null }]),
  [`GET ${door}/keys`]: pages([]),
  [`GET ${door}/wallets/balance`]: () => ({ available: 1 }),
  [`GET ${door}/sandbox/clock`]: () => ({ now: at, mode: "running", nextDueAt: null }),
  [`GET ${door}/sandbox/messages`]: pages([]),
};

const offers = [
  ["transfers", <TransfersPage key="t" />, ["Make a payout"]],
  ["bills", <BillsPage key="b" />, ["Buy a bill"]],
  ["events", <EventsPage key="es" />, ["Send again"]],
  ["events", <EventPage key="e" />, ["Send again"]],
  ["checkout", <SessionPage key="s" />, ["Cancel the checkout"]],
  ["sandbox", <LoanPage key="l" />, ["Approve", "Reject"]],
  ["webhooks", <DevelopersPage key="d" />, ["Add an endpoint", "Send a test", "Disable", "New secret", "Delete"]],
  ["keys", <DevelopersPage key="k" />, ["Issue a key"]],
  ["sandbox", <SandboxPage key="x" />, ["Reset sandbox", "Fund the wallet", "Advance clock", "Freeze clock"]],
] as const;

describe.each(["owner", "developer", "finance", "support", "viewer"])("a person of the role %s", (role) => {
  test.each(offers)("is offered what changes %s where the role may", async (change, page, names) => {
    replyWith(replies);
    await drawInConsole(page, { role, address: "/here/x-1" });
    expect(names.filter(hasButton)).toEqual(mayChange(role, change) ? names : []);
  });

  test("sees the banks of a sandbox, and changes them where the role may", async () => {
    replyWith(replies);
    await drawInConsole(<SandboxPage />, { role });
    const choice = document.querySelector<HTMLSelectElement>("select[aria-label='How GTBank is']");
    expect(choice !== null).toBe(mayChange(role, "sandbox"));
    expect(shown()).toContain("GTBank");
  });

  test("brings a file of payouts where the role may, and is told why not otherwise", async () => {
    replyWith(replies);
    await drawInConsole(<BulkPage />, { role });
    expect(document.querySelector("input[type=file]") !== null).toBe(mayChange(role, "transfers"));
    expect(shown().includes("Your role does not include payouts.")).toBe(!mayChange(role, "transfers"));
  });
});

test.each(["a_role_of_tomorrow", "constructor", ""])("a role that nobody knows (%j) is offered nothing", (role) => {
  expect(mayChange(role, "events")).toBe(false);
});
