import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { WireReply } from "../provider-client.ts";
import { readApproval } from "./approval.ts";
import { isPage, readRows } from "./page.ts";

const page = (data: unknown, meta?: object, status = 200): WireReply => ({
  kind: "answer",
  status,
  headers: {},
  body: { status: true, data, ...(meta === undefined ? {} : { meta }) },
});
const lost: WireReply = { kind: "no_answer", why: "UND_ERR_SOCKET" };

/** Reads a list whose pages are these; the last one comes for ever. */
async function read(...pages: readonly WireReply[]) {
  const asked: number[] = [];
  const rows: unknown[] = [];
  const readPage = async (number: number): Promise<WireReply> => {
    asked.push(number);
    return pages[Math.min(number, pages.length) - 1] ?? lost;
  };
  for await (const row of readRows("transfers", readPage)) rows.push(row);
  return { rows, asked };
}

describe("a list in pages", () => {
  test("is read to its last page, as the first tells it", async () => {
    const meta = { pageCount: 2 };
    expect(await read(page([{ id: 1 }, { id: 2 }], meta), page([{ id: 3 }], meta))).toEqual({
      rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
      asked: [1, 2],
    });
  });

  test("without a number of pages ends with an empty one", async () => {
    expect((await read(page([{ id: 1 }]), page([]))).asked).toEqual([1, 2]);
    expect((await read(page([]))).rows).toEqual([]);
  });

  test("has a record for every row, also for one that is none", async () => {
    expect((await read(page([7, null, "x", [1]], { pageCount: 1 }))).rows).toEqual([{}, {}, {}, {}]);
  });

  test.each<[string, WireReply]>([
    ["that never came", lost],
    ["that was refused", { kind: "answer", status: 401, body: { status: false, message: "Invalid key" }, headers: {} }],
    ["that is of a proxy", { kind: "answer", status: 502, body: undefined, headers: {} }],
    ["without a list", page({ id: 1 })],
    ["with another status", page([{ id: 1 }], undefined, 201)],
  ])("with a page %s is not a list: a hole explains nothing", async (_, bad) => {
    expect(isPage(bad)).toBe(false);
    await expect(read(bad)).rejects.toThrow("Paystack's list of transfers could not be read");
    await expect(read(page([{ id: 1 }]), bad)).rejects.toThrow("could not be read");
  });

  test("that never ends is given up", async () => {
    await expect(read(page([{}]))).rejects.toThrow("Paystack's list of transfers does not end");
  });
});

describe("the question whether a payment is ours", () => {
  const key = "sk_test_twin";
  const ask = (told: unknown, signed = key) => {
    const body = Buffer.from(JSON.stringify(told));
    const signature = createHmac("sha512", signed).update(body).digest("hex");
    return readApproval(key, { body, headers: { "x-paystack-signature": signature } });
  };
  const transfer = { reference: "999001261103101500000000000042", amount: 250_000 };
  const question = { sessionId: transfer.reference, amount: 250_000n, accountNumber: null };

  test("is understood bare, under data, and as a list", () => {
    expect(ask(transfer)).toEqual([question]);
    expect(ask({ event: "x", data: transfer })).toEqual([question]);
    expect(ask({ data: [transfer, transfer] })).toEqual([question, question]);
    expect(ask({ data: { transfers: [transfer] } })).toEqual([question]);
  });

  test.each([
    [{ recipient: { details: { account_number: "0123456789" } } }, "0123456789"],
    [{ recipient: { account_number: "0123456789" } }, "0123456789"],
    [{ account_number: "0123456789" }, "0123456789"],
    [{ recipient: "RCP_1" }, null],
  ])("names the account where %j does", (more, accountNumber) => {
    expect(ask({ ...transfer, ...more })).toEqual([{ ...question, accountNumber }]);
  });

  test.each<[string, unknown]>([
    ["nothing", {}],
    ["an empty list", { data: { transfers: [] } }],
    ["a list that is none", { data: { transfers: "all" } }],
    ["one that cannot be read among others", { data: [transfer, { reference: "x" }] }],
    ["an amount with decimals", { ...transfer, amount: "2500.50" }],
    ["a negative amount", { ...transfer, amount: -1 }],
    ["no reference", { amount: 1 }],
    ["a text", "pay"],
  ])("about %s is not answered with yes", (_, told) => {
    expect(ask(told)).toBeNull();
  });

  test("that somebody else signed is not looked at", () => {
    expect(ask(transfer, "sk_test_thief")).toBeNull();
    expect(readApproval(key, { body: Buffer.from(JSON.stringify(transfer)), headers: {} })).toBeNull();
  });
});
