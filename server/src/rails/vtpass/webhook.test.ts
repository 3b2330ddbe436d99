import { expect, test } from "vitest";
import { hookReply, readHook, vtpass } from "./provider.ts";

const id = "2026111610220123456789abcdef0123456789abcdef";
const read = (body: string | Buffer) => readHook({ body: Buffer.from(body), headers: {} });

test("an update of a transaction is a hint to ask about it, whatever it says of the outcome", () => {
  const event = "transaction-update";
  for (const status of ["delivered", "reversed", "failed", "ZZZ"]) {
    const data = {
      code: "000",
      requestId: id,
      content: { transactions: { status, unit_price: 1 } },
      wallet_credit_id: "9",
    };
    expect(read(JSON.stringify({ type: event, data }, null, 3))).toEqual({ about: "biller", id, event });
  }
});

test("a changed list is a hint to read the lists again", () => {
  const body = { type: "variations-update", serviceID: "mtn-data", data: { content: { variations: [] } } };
  expect(read(JSON.stringify(body))).toEqual({ about: "products", event: "variations-update" });
});

test.each([
  ["", "unreadable"],
  ["not JSON", "unreadable"],
  ["[]", "unreadable"],
  ["null", "unreadable"],
  [JSON.stringify({ type: "transaction-update" }), "transaction-update"],
  [JSON.stringify({ type: "transaction-update", data: { requestId: "ELAET1RA7PC" } }), "transaction-update"],
  [JSON.stringify({ type: "transaction-update", data: { requestId: `${id}' or 1=1` } }), "transaction-update"],
  [JSON.stringify({ type: "something-new", data: { requestId: id } }), "something-new"],
])("%s is about nothing of ours", (body, event) => {
  expect(read(body)).toEqual({ about: "nothing", event });
});

test("the reply is exactly what VTpass waits for", () => {
  const connected = vtpass.connect({ connectionId: "c", mode: "test", baseUrl: "http://127.0.0.1:1", credentials: {} });
  expect(JSON.stringify(connected.hookReply)).toBe('{"response":"success"}');
  expect(connected.hookReply).toBe(hookReply);
});
