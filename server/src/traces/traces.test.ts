import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { issueKeyFor } from "../../testing/keys.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { answering, createReceiver } from "../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, createTestSender, sendDue } from "../../testing/webhooks/webhooks.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";

/** Requests are written down a moment later; requests.test.ts waits for them. */
const app = await createPayingApp({ requestLogDays: 0 });
const { call, db, merchant, operate, otherMerchant, pay, work } = app;
const environmentId = merchant.environment.id;

interface Step {
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  readonly detail: Record<string, unknown>;
  readonly ids: Record<string, string>;
  readonly ok: boolean;
}

interface Traced {
  readonly id: string;
  readonly kind: string;
  readonly steps: Step[];
}

async function trace(id: string): Promise<Traced> {
  const reply = await call("GET", `/traces/${id}`);
  expect(reply.statusCode).toBe(200);
  return reply.json().data;
}

const brief = ({ steps }: Traced) => steps.map(({ kind, title, ok }) => `${ok ? "✓" : "✗"} ${kind}: ${title}`);

async function paid(ending = "", body: object = {}): Promise<string> {
  const made = await pay({ reference: freshReference(ending), ...body });
  expect(made.statusCode).toBe(201);
  await work();
  return made.json().data.id;
}

async function idsOf(table: "events" | "ledger_transactions", id: string): Promise<string[]> {
  const column = table === "events" ? sql`created_at, resource_version` : sql`posted_at, id`;
  const found = await inEnvironment(db, environmentId, (tx) =>
    sql<{ id: string }>`select id from ${sql.table(table)}
      where environment_id = ${environmentId} and (resource_id = ${id} or id = ${id}) order by ${column}`.execute(tx),
  );
  return found.rows.map((row) => row.id);
}

const told = ({ steps }: Traced, kind: string, word: string) =>
  steps.filter((step) => step.kind === kind).map(({ ids }) => ids[word]);

describe("a payout", () => {
  test("tells its checks, its states, the bank's answer, the money and the event, in order", async () => {
    const traced = await trace(await paid());
    expect(traced.kind).toBe("transfer");
    expect(brief(traced)).toEqual([
      "✓ check: Priced by the tariff of the day",
      "✓ check: The bank named the account's holder",
      "✓ state: Accepted",
      "✓ posting: Money moved: transfer.held",
      "✓ state: On its way to the bank",
      "✓ rail: Asked the bank",
      "✓ rail: Confirmed by the bank",
      "✓ state: Done",
      "✓ posting: Money moved: transfer.completed",
      "✓ event: Event transfer.completed",
    ]);
    const moments = traced.steps.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted());
  });

  test("that fails says why, and that the money is back", async () => {
    const id = await paid("_FAIL");
    const traced = await trace(id);
    expect(brief(traced).slice(-5)).toEqual([
      "✓ rail: Asked the bank",
      "✗ rail: Refused by the bank",
      "✗ state: Failed",
      "✓ posting: Money moved: transfer.failed",
      "✓ event: Event transfer.failed",
    ]);
    const { failureReason } = await app.read(id);
    expect(traced.steps.find(({ title }) => title === "Failed")?.detail).toEqual({
      status: "failed",
      failure: failureReason,
    });
  });

  test("that the bank says nothing about shows that it was asked again", async () => {
    const traced = await trace(await paid("_PENDING"));
    expect(brief(traced).slice(-2)).toEqual([
      "✓ rail: Asked the bank",
      "✗ rail: Asked the bank again, 1 time, because it had not told the outcome",
    ]);
  });

  test("that was reversed tells both lives", async () => {
    const id = await paid();
    expect((await call("POST", `/sandbox/transfers/${id}/reverse`)).statusCode).toBe(200);
    const traced = await trace(id);
    expect(brief(traced).slice(-7)).toEqual([
      "✓ state: Done",
      "✓ posting: Money moved: transfer.completed",
      "✓ event: Event transfer.completed",
      "✗ rail: It came back from the bank",
      "✗ state: Reversed",
      "✓ posting: Money moved: transfer.reversed",
      "✓ event: Event transfer.reversed",
    ]);
  });

  test("shows the last four digits of the account and no more", async () => {
    const reply = await call("GET", `/traces/${await paid()}`);
    expect(reply.body).toContain("******0032");
    expect(reply.body).not.toContain("0690000032");
  });

  test("is the same story by the id of its event and of its ledger transaction", async () => {
    const id = await paid();
    const { steps } = await trace(id);
    const [event] = await idsOf("events", id);
    const [, completed] = await idsOf("ledger_transactions", id);
    expect(await trace(event ?? "")).toEqual({ id: event, kind: "event", steps });
    expect(await trace(completed ?? "")).toEqual({ id: completed, kind: "transaction", steps });
  });

  test("tells every try to deliver its event", async () => {
    const receiver = await createReceiver(answering(500));
    const endpoint = await addEndpoint(app, receiver.url);
    const sender = createTestSender(app);
    const id = await paid();
    await sendDue(app, sender);
    const failed = await trace(id);
    expect(brief(failed).slice(-2)).toEqual([
      `✗ delivery: Not delivered to ${receiver.url}`,
      `✓ delivery: Delivery planned: ${receiver.url}`,
    ]);
    expect(failed.steps.at(-2)).toMatchObject({ detail: { status: 500 }, ids: { endpoint: endpoint.id } });
    await call("DELETE", `/webhooks/endpoints/${endpoint.id}`);
    expect(brief(await trace(id)).at(-1)).toBe(
      `✗ delivery: Delivery cancelled: the endpoint was deleted: ${receiver.url}`,
    );
  });

  test("that an operator ended tells the merchant so, and only the operator by whom", async () => {
    const id = await paid("_PENDING");
    const evidence = "Letter of 3 November";
    const resolved = await operate("POST", `/operator/transfers/${id}/resolve`, { outcome: "completed", evidence });
    expect(resolved.statusCode).toBe(200);
    const traced = await trace(id);
    expect(brief(traced)).toContain("✓ decision: An operator decided: transfer.resolve");
    expect(brief(traced)).not.toContain("✓ rail: Confirmed by the bank");
    expect(JSON.stringify(traced)).not.toContain(evidence);
    const theirs = (await operate("GET", `/operator/traces/${id}`)).json().data;
    expect(brief(theirs)).toEqual(brief(traced));
    expect(JSON.stringify(theirs)).toContain(evidence);
  });
});

describe("a batch", () => {
  test("tells its counts, the items that were refused and those that failed", async () => {
    const item = (reference: string, more: object = {}) => ({
      accountNumber: "0690000032",
      bankCode: "044",
      amount: 100,
      reference,
      ...more,
    });
    const lost = freshReference("_FAIL");
    const transfers = [item(freshReference()), item(lost), item(freshReference(), { bankCode: "000" })];
    const made = await call("POST", "/transfers/bulk", {
      body: { batchReference: freshReference(), currency: "NGN", onInvalid: "continue", transfers },
    });
    expect(made.statusCode).toBe(201);
    await work();
    const id = made.json().data.batchId;
    const traced = await trace(id);
    expect(traced.kind).toBe("batch");
    expect(brief(traced)).toEqual([
      expect.stringContaining("✗ check: Item refused"),
      "✓ state: Batch accepted",
      `✗ state: Item failed: ${lost}`,
      "✓ state: Batch done",
      "✓ event: Event transfer.batch.completed",
    ]);
    const failed = traced.steps.find(({ title }) => title.startsWith("Item failed"));
    expect((await trace(failed?.ids["transfer"] ?? "")).steps[0]?.ids).toMatchObject({ batch: id });
  });
});

describe("a bill", () => {
  test("tells its price, the biller's receipt and the commission, and never the customer's number", async () => {
    const body = { network: "MTN", phoneNumber: "08031234567", amount: 1000, reference: freshReference() };
    const made = await call("POST", "/bills/airtime/vend", { body });
    await work();
    const reply = await call("GET", `/traces/${made.json().data.id}`);
    const traced: Traced = reply.json().data;
    expect(traced.kind).toBe("bill");
    expect(brief(traced)).toEqual([
      "✓ check: Priced by the list and the rate of the day",
      "✓ state: Accepted",
      "✓ posting: Money moved: bill.held",
      "✓ state: On its way to the biller",
      "✓ rail: Asked the biller",
      "✓ rail: Confirmed by the biller",
      "✓ state: Done",
      "✓ posting: Money moved: bill.successful",
      "✓ posting: Money moved: bill.commission",
      "✓ event: Event bill.successful",
    ]);
    expect(reply.body).not.toContain("8031234567");
  });
});

test("a stopped clock gives a whole life one moment, and the trace still tells it in order", async () => {
  await call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "still" } });
  const made = await pay({});
  const id = made.json().data.id;
  expect((await call("POST", "/sandbox/clock/advance", { body: { seconds: 5 } })).statusCode).toBe(200);
  expect((await app.read(id))["status"]).toBe("completed");
  expect((await call("POST", `/sandbox/transfers/${id}/reverse`)).statusCode).toBe(200);
  const traced = await trace(id);
  const words = traced.steps.map(({ title }) => title);
  expect(words.filter((title) => /held|completed|reversed/i.test(title))).toEqual([
    "Money moved: transfer.held",
    "Money moved: transfer.completed",
    "Event transfer.completed",
    "Reversed",
    "Money moved: transfer.reversed",
    "Event transfer.reversed",
  ]);
  expect(told(traced, "posting", "transaction").toSorted()).toEqual(
    (await idsOf("ledger_transactions", id)).toSorted(),
  );
  expect(told(traced, "event", "event")).toEqual(await idsOf("events", id));
  await call("PUT", "/sandbox/clock", { body: { mode: "running" } });
});

describe("whose it is", () => {
  const unknown = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

  test("another merchant's id is exactly like one that nobody has", async () => {
    const id = await paid();
    const [event = ""] = await idsOf("events", id);
    const nobody = await call("GET", `/traces/${unknown}`);
    for (const each of [id, event]) {
      const reply = await call("GET", `/traces/${each}`, { key: otherMerchant.secretKey });
      expect(reply.statusCode).toBe(404);
      const { requestId: _, ...body } = reply.json();
      const { requestId: __, ...expected } = nobody.json();
      expect(body).toEqual(expected);
    }
    expect(nobody.json().code).toBe("not_found");
  });

  test("what is not an id at all is not found, and neither is a request that nobody made", async () => {
    for (const id of ["nothing", "req_0"]) expect((await call("GET", `/traces/${id}`)).statusCode).toBe(404);
  });

  test("a key needs the scope", async () => {
    const key = await issueKeyFor(db, environmentId, { scopes: ["transfers:read"] });
    expect((await call("GET", `/traces/${unknown}`, { key })).json().code).toBe("scope_missing");
    const reader = await issueKeyFor(db, environmentId, { scopes: ["traces:read"] });
    expect((await call("GET", `/traces/${await paid()}`, { key: reader })).statusCode).toBe(200);
  });

  test("an operator reads any environment's, and names one where several have the id", async () => {
    const id = await paid();
    await sequenceEvents(db);
    expect((await operate("GET", `/operator/traces/${id}?environmentId=${environmentId}`)).statusCode).toBe(200);
    expect((await operate("GET", `/operator/traces/${id}?environmentId=${unknown}`)).json().code).toBe("not_found");
    for (const each of [unknown, "nothing"]) {
      expect((await operate("GET", `/operator/traces/${each}`)).json().code).toBe("not_found");
    }
  });

  test("sandboxes that stand still under one seed share ids, and an operator is told so", async () => {
    const ids = [];
    for (const key of [merchant.secretKey, otherMerchant.secretKey]) {
      await call("POST", "/sandbox/reset", { key });
      await call("PUT", "/sandbox/clock", {
        key,
        body: { mode: "frozen", now: "2026-11-02T08:00:00.000Z", seed: "same" },
      });
      await call("POST", "/sandbox/wallets/fund", { key, body: { amount: 5_000 } });
      ids.push((await pay({ reference: "one" }, { key })).json().data.id);
    }
    expect(ids[0]).toBe(ids[1]);
    expect((await operate("GET", `/operator/traces/${ids[0]}`)).json().code).toBe("invalid_state");
    const one = await operate("GET", `/operator/traces/${ids[0]}?environmentId=${environmentId}`);
    expect(one.statusCode).toBe(200);
  });
});
