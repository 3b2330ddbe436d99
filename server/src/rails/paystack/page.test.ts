import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WireReply } from "../provider-client.ts";
import { isPage, readRows } from "./page.ts";
import { readTransfers } from "./provider.ts";

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
    return readTransfers(key, { body, headers: { "x-paystack-signature": signature } });
  };
  const account = { account_number: "0123456789", bank_code: "058" };
  const transfer = { reference: "999001261103101500000000000042", amount: 250_000, ...account };
  const question = { sessionId: transfer.reference, amount: 250_000n, accountNumber: "0123456789", bankCode: "058" };

  test("is understood bare, under data, and as a list", () => {
    expect(ask(transfer)).toEqual([question]);
    expect(ask({ event: "x", data: transfer })).toEqual([question]);
    expect(ask({ data: [transfer, transfer] })).toEqual([question, question]);
    expect(ask({ data: { transfers: [transfer] } })).toEqual([question]);
  });

  const { reference, amount } = transfer;
  test.each([{ recipient: { details: account } }, { recipient: account }, account])(
    "names account and bank where %j does",
    (more) => {
      expect(ask({ reference, amount, ...more })).toEqual([question]);
    },
  );

  test("is not answered with yes when anything of it is not named, wherever it stands", () => {
    const fields = { reference, amount, account_number: "0123456789", bank_code: "058" };
    const names = Object.keys(fields) as (keyof typeof fields)[];
    fc.assert(
      fc.property(fc.subarray(names), fc.constantFrom("flat", "recipient", "details"), (left, place) => {
        const has = <T>(name: keyof typeof fields, value: T) => (left.includes(name) ? value : undefined);
        const named = { account_number: has("account_number", "0123456789"), bank_code: has("bank_code", "058") };
        const places = { flat: named, recipient: { recipient: named }, details: { recipient: { details: named } } };
        const told = { reference: has("reference", reference), amount: has("amount", amount), ...places[place] };
        expect(ask(told)).toEqual(left.length === names.length ? [question] : null);
      }),
    );
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
    expect(readTransfers(key, { body: Buffer.from(JSON.stringify(transfer)), headers: {} })).toBeNull();
  });
});
