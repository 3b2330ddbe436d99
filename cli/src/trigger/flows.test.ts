/** What is played for each event: the calls, and what the event will be about. */
import { describe, expect, test } from "vitest";
import { openSandbox, type Replies, type Sent, wholeList } from "../../testing/sandbox-play.ts";
import { flows, liveOnly } from "./flows.ts";

async function play(name: string, replies: Replies) {
  const sandbox = await openSandbox(replies, { mark: "trigger-1" });
  const flow = flows[name];
  if (flow === undefined) throw new Error(`${name} cannot be played`);
  const subject = await flow.play(sandbox.playing);
  return { ...sandbox, subject };
}
const posts = (sent: readonly Sent[]) => sent.filter(({ line }) => /^(POST|DELETE)/.test(line));

test("nothing is both played and said to be impossible", () => {
  expect(Object.keys(liveOnly).filter((name) => Object.hasOwn(flows, name))).toEqual([]);
});

test("each flow says in a sentence what it does", () => {
  for (const { what } of Object.values(flows)) expect(what).toMatch(/^[A-Z].+\.$/);
});

describe("payouts and bills", () => {
  test.each([
    ["transfer.completed", "trigger-1"],
    ["transfer.failed", "trigger-1_FAIL"],
    ["transfer.reversed", "trigger-1_REVERSE"],
  ])("%s is a payout whose reference says how the bank behaves", async (name, reference) => {
    const { sent, subject } = await play(name, { "POST /transfers": () => ({ id: "t-1" }) });
    expect(subject).toBe("t-1");
    expect(posts(sent).map(({ body }) => body)).toMatchObject([{ reference, amount: 1_500 }]);
  });

  test.each([
    ["bill.successful", "trigger-1"],
    ["bill.failed", "trigger-1_FAIL"],
    ["bill.reversed", "trigger-1_REVERSE"],
  ])("%s is airtime whose reference says how the biller behaves", async (name, reference) => {
    const { sent, subject } = await play(name, { "POST /bills/airtime/vend": () => ({ id: "v-1" }) });
    expect(subject).toBe("v-1");
    expect(posts(sent).map(({ body }) => body)).toMatchObject([{ reference, network: "MTN" }]);
  });

  test("a batch is two payouts with two references", async () => {
    const { sent, subject } = await play("transfer.batch.completed", {
      "POST /transfers/bulk": () => ({ batchId: "b-1" }),
    });
    expect(subject).toBe("b-1");
    expect(posts(sent)[0]?.body).toMatchObject({
      batchReference: "trigger-1",
      transfers: [{ reference: "trigger-1-a" }, { reference: "trigger-1-b" }],
    });
  });

  test("money that comes in is play money", async () => {
    const { lines, subject } = await play("wallet.credited", { "POST /sandbox/wallets/fund": () => ({ id: "l-1" }) });
    expect([lines(), subject]).toEqual([["POST /sandbox/wallets/fund"], "l-1"]);
  });
});

describe("loans", () => {
  const due = "2026-11-08T08:00:00.000Z";
  function bank(statuses: readonly string[] = ["active"]): Replies {
    const left = [...statuses];
    return {
      "POST /loans/create": () => ({ id: "l-1" }),
      "POST /sandbox/loans/l-1/": () => ({}),
      "POST /loans/l-1/cancel": () => ({}),
      "POST /loans/l-1/repayments": () => ({ id: "r-1" }),
      "GET /loans/l-1": () => ({
        loan_request: { status: left.length > 1 ? left.shift() : left[0] },
        loan_details: { balance: 51_250.5, next_due_date: due },
      }),
    };
  }
  const paidOut = ["POST /sandbox/loans/l-1/approve", "POST /sandbox/loans/l-1/disburse"];

  test.each([
    ["loan.created", []],
    ["loan.rejected", []],
    ["loan.approved", ["POST /sandbox/loans/l-1/approve"]],
    ["loan.disbursed", paidOut],
    ["loan.cancelled", ["POST /loans/l-1/cancel"]],
    ["loan.repayment.successful", [...paidOut, "POST /loans/l-1/repayments"]],
    ["loan.repayment.failed", [...paidOut, "POST /loans/l-1/repayments", "POST /loans/l-1/repayments/r-1/reverse"]],
    ["loan.completed", [...paidOut, "POST /loans/l-1/repayments"]],
  ])("%s asks for a loan, and then %j", async (name, further) => {
    const { sent, subject } = await play(name, bank());
    expect(subject).toBe("l-1");
    expect(posts(sent).map(({ line }) => line)).toEqual(["POST /loans/create", ...further]);
  });

  test("whom the bureau does not know is a person with such a BVN, and no other flow's is", async () => {
    const bvnOf = async (name: string) => {
      const { sent } = await play(name, bank());
      const [asked] = posts(sent).map(({ body }) => body as { readonly bvn: string });
      return asked?.bvn;
    };
    expect(await bvnOf("loan.rejected")).toMatch(/0000$/);
    expect(await bvnOf("loan.created")).not.toMatch(/0000$/);
  });

  test("a repaid loan is repaid to the kobo", async () => {
    const { sent } = await play("loan.completed", bank());
    expect(posts(sent).at(-1)?.body).toMatchObject({ amount: 51_250.5 });
  });

  test("an overdue one is daily, so that the clock moves days and not months", async () => {
    const { sent, moves } = await play("loan.overdue", bank(["active", "active", "active", "overdue"]));
    expect(posts(sent)[0]?.body).toMatchObject({ tenure_type: "daily" });
    expect(moves()).toEqual([{ to: due }, { days: 1 }]);
  });
});

describe("credit at a checkout", () => {
  const customer = "/loans/bnpl/customers/c-1";
  const loan = "/loans/bnpl/loans/p-1";
  const shop: Replies = {
    "POST /loans/bnpl/customers": () => ({ id: "c-1" }),
    [`GET ${customer}/eligibility`]: () => ({ tenors: [{ tenor: 1 }] }),
    [`POST ${customer}/loans`]: () => ({ id: "p-1" }),
    [`POST ${customer}/cards/link`]: () => ({ link_id: "k-1" }),
    "POST /sandbox/card-links/k-1/complete": () => ({}),
    [`POST ${loan}`]: () => ({}),
    [`GET ${loan}`]: () => ({ status: "active", balance: 5_000, next_due_date: null }),
    "POST /loans/bnpl/checkout-sessions": () => ({ id: "s-1", expires_at: "2026-11-01T09:00:00.000Z" }),
  };
  const outcomeOf = (sent: readonly Sent[]) =>
    sent.find(({ line }) => line === "POST /sandbox/card-links/k-1/complete")?.body;

  test.each([
    ["customer.card.link.successful", "linked"],
    ["customer.card.link.failed", "declined"],
  ])("%s is about the customer, whose card is %s", async (name, outcome) => {
    const { sent, subject } = await play(name, shop);
    expect([subject, outcomeOf(sent)]).toEqual(["c-1", { outcome }]);
  });

  test.each([
    ["bnpl.loan.created", 0],
    ["bnpl.loan.approved", 4],
    ["bnpl.loan.disbursed", 4],
    ["bnpl.loan.repayment.successful", 5],
    ["bnpl.loan.completed", 5],
    ["bnpl.loan.refunded", 5],
    ["bnpl.loan.credit.refunded", 6],
    ["bnpl.loan.cancelled", 1],
  ])("%s is about the loan, %d steps after it was asked for", async (name, steps) => {
    const { sent, subject, moves } = await play(name, shop);
    expect(subject).toBe("p-1");
    const lines = posts(sent).map(({ line }) => line);
    expect(lines.length - lines.indexOf(`POST ${customer}/loans`) - 1).toBe(steps);
    expect(moves()).toEqual([]);
  });

  test.each(["bnpl.loan.repayment.failed", "bnpl.loan.overdue"])(
    "%s needs a card that works at first and declines later",
    async (name) => {
      const { sent } = await play(name, shop);
      expect(outcomeOf(sent)).toEqual({ outcome: "declines_later" });
    },
  );

  test("who never agrees waits a day", async () => {
    const { moves, lines } = await play("bnpl.loan.expired", shop);
    expect(moves()).toEqual([{ days: 1 }]);
    expect(lines().some((line) => line.includes("consent"))).toBe(false);
  });

  test("a page that nobody opens ends when it says so", async () => {
    const { moves, subject } = await play("checkout.session.expired", shop);
    expect([subject, moves()]).toEqual(["s-1", [{ to: "2026-11-01T09:00:00.000Z" }]]);
  });
});

describe("webhooks", () => {
  const endpoint = (id: string, enabled: boolean) => ({ id, enabled });
  const door = (known: readonly object[]): Replies => ({
    "GET /webhooks/endpoints": () => wholeList(known),
    "POST /webhooks/endpoints": () => ({ id: "e-new" }),
    "POST /webhooks/endpoints/": () => ({}),
    "DELETE /webhooks/endpoints/": () => ({}),
  });

  test("a test goes to the first endpoint that is enabled, and leaves it there", async () => {
    const { sent, subject, tidy } = await play(
      "webhook.test",
      door([endpoint("e-1", false), endpoint("e-2", true), endpoint("e-3", true)]),
    );
    await tidy();
    expect(subject).toBe("e-2");
    expect(posts(sent).map(({ line }) => line)).toEqual(["POST /webhooks/endpoints/e-2/test"]);
  });

  test("without one it goes to an endpoint that exists only for this, and is taken away", async () => {
    const { sent, subject, tidy } = await play("webhook.test", door([endpoint("e-1", false)]));
    expect(subject).toBe("e-new");
    await tidy();
    expect(posts(sent).map(({ line }) => line)).toEqual([
      "POST /webhooks/endpoints",
      "POST /webhooks/endpoints/e-new/test",
      "DELETE /webhooks/endpoints/e-new",
    ]);
  });

  test("a receiver on this machine is of no use to a server elsewhere: nothing is opened", async () => {
    const sandbox = await openSandbox(door([]));
    const gone = flows["webhook.endpoint.disabled"];
    await expect(gone?.play(sandbox.playing)).rejects.toThrow("Run it against a local server.");
    expect(posts(sandbox.sent)).toEqual([]);
  });
});
