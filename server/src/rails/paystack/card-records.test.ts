import { afterAll, beforeEach, expect, test } from "vitest";
import { openPaystackCardBench } from "../../../testing/providers/paystack-card-bench.ts";
import type { TwinTransaction } from "../../../testing/providers/paystack-twin-card-books.ts";
import { changedReply } from "../../../testing/providers/twin-faults.ts";
import type { ProviderRecord, RecordKind } from "../provider.ts";
import { recordAt } from "../wire-json.ts";

const bench = await openPaystackCardBench();
const { books, twin } = bench;
afterAll(() => twin.close());

const at = new Date("2026-11-14T12:00:00Z");
const day = { from: new Date("2026-11-13T23:00:00Z"), to: new Date("2026-11-14T23:00:00Z") };

async function list(kinds: readonly RecordKind[], period = day): Promise<ProviderRecord[]> {
  const { books: own } = bench.connected;
  if (own === undefined || !("list" in own)) throw new Error("Paystack has lists");
  const records: ProviderRecord[] = [];
  for await (const record of own.list(period, kinds)) records.push(record);
  return records;
}

function transaction(n: number, changes: Partial<TwinTransaction> = {}): TwinTransaction {
  const reference = `charge-${n}`;
  const made: TwinTransaction = {
    id: 1_000 + n,
    reference,
    email: "ada@example.com",
    requestedAmount: 10_000 + n,
    amount: 10_000 + n,
    status: "success",
    authorization: null,
    gatewayResponse: "",
    callbackUrl: null,
    createdAt: at,
    takings: 1,
    ...changes,
  };
  books.transactions.set(reference, made);
  return made;
}

function refund(n: number, changes: Partial<(typeof books.refunds)[number]> = {}): void {
  books.refunds.push({
    id: 5_000 + n,
    transactionId: 1_000 + n,
    amount: 100 + n,
    note: `refund-${n}`,
    createdAt: at,
    status: "processed",
    ...changes,
  });
}

beforeEach(() => {
  twin.behave();
  books.transactions.clear();
  books.refunds.splice(0);
});

test("every charge and refund of the day is listed once, over all pages", async () => {
  for (let n = 0; n < 130; n += 1) {
    transaction(n);
    refund(n);
  }
  const records = await list(["charge", "refund"]);
  for (const kind of ["charge", "refund"] as const) {
    const own = records.filter((record) => record.kind === kind);
    expect([own.length, new Set(own.map(({ ourId }) => ourId)).size]).toEqual([130, 130]);
  }
  expect(records.find(({ ourId }) => ourId === "charge-7")).toMatchObject({
    kind: "charge",
    providerReference: "1007",
    amount: 10_007n,
    fee: 151n,
    status: "success",
    word: "success",
    createdAt: at,
  });
  expect(records.find(({ ourId }) => ourId === "refund-7")).toMatchObject({
    kind: "refund",
    providerReference: "5007",
    amount: 107n,
    fee: null,
    status: "success",
  });
});

test("only the wanted kinds and the wanted day are asked for", async () => {
  transaction(1);
  refund(1);
  expect((await list(["refund"])).map(({ kind }) => kind)).toEqual(["refund"]);
  expect(await list(["payout"])).toEqual([]);
  expect(await list(["charge"], { from: day.from, to: at })).toEqual([]);
  expect(await list(["charge"], { from: at, to: day.to })).toHaveLength(1);
});

test.each([
  ["success", "success"],
  ["failed", "failure"],
  ["abandoned", "failure"],
  ["reversed", "taken_back"],
  ["pending", "open"],
  ["ongoing", "open"],
] as const)("a transaction that is %s is %s", async (word, status) => {
  transaction(1, { status: word });
  expect(await list(["charge"])).toMatchObject([{ word, status }]);
});

test.each([
  ["processed", "success"],
  ["failed", "failure"],
  ["pending", "open"],
  ["processing", "open"],
  ["needs-attention", "open"],
] as const)("a refund that is %s is %s", async (word, status) => {
  refund(1, { status: word });
  expect(await list(["refund"])).toMatchObject([{ word, status }]);
});

test("a charge that was refunded was made; a refund that failed does not explain a reversal", async () => {
  transaction(1, { status: "reversed" });
  refund(1, { createdAt: new Date("2026-12-24T00:00:00Z") });
  transaction(2, { status: "reversed" });
  refund(2, { status: "failed" });
  const found = (await list(["charge"])).map(({ ourId, status }) => [ourId, status]);
  expect(Object.fromEntries(found)).toEqual({ "charge-1": "success", "charge-2": "taken_back" });
});

test("money that comes in by other channels is not a charge", async () => {
  const authorization = { channel: "dedicated_nuban" } as NonNullable<TwinTransaction["authorization"]>;
  transaction(1, { authorization });
  expect(await list(["charge"])).toEqual([]);
});

test.each([
  ["GET /transaction", "charge", { amount: 1.5, requested_amount: 1.5 }],
  ["GET /transaction", "charge", { status: null }],
  ["GET /transaction", "charge", { created_at: "soon" }],
  ["GET /refund", "refund", { id: null }],
  ["GET /refund", "refund", { amount: "many" }],
] as const)("a row of %s that cannot be read ends the list (%s, %j)", async (route, kind, fields) => {
  transaction(1);
  refund(1);
  const hole = changedReply("hole", (reply) => {
    const body = recordAt(reply.body);
    return { ...reply, body: { ...body, data: [{ ...recordAt((body["data"] as unknown[])[0]), ...fields }] } };
  });
  twin.misbehave([hole], route);
  await expect(list([kind])).rejects.toThrow("a row that cannot be read");
});

test("a question about the refunds of a reversed charge that has no answer ends the list", async () => {
  transaction(1, { status: "reversed" });
  twin.misbehave(["unavailable"], "GET /refund");
  await expect(list(["charge"])).rejects.toThrow("could not be read");
});
