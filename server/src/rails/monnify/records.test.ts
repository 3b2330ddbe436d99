import { describe, expect, test } from "vitest";
import type { ProviderRecord } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import type { MonnifyClient } from "./client.ts";
import { listDisbursements, readFloat } from "./provider.ts";

const period = { from: new Date("2026-11-15T23:00:00.000Z"), to: new Date("2026-11-16T23:00:00.000Z") };
const row = (changes: object = {}) => ({
  transactionReference: "MFDS1",
  reference: "999001261116091500000000000001",
  amount: "2500.50",
  fee: 10.75,
  status: "SUCCESS",
  createdOn: "2026-11-16T09:15:00",
  ...changes,
});
const replying = (responseBody: unknown, status = 200): WireReply => ({
  kind: "answer",
  status,
  headers: {},
  body: { requestSuccessful: true, responseBody },
});
const page = (content: unknown, totalPages?: number) =>
  replying({ content, ...(totalPages === undefined ? {} : { totalPages }) });

/** A client that gives these replies in turn; the last one for ever. */
function client(...replies: readonly WireReply[]): MonnifyClient & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    sourceAccountNumber: "8016472829",
    call: async ({ query = {} }) => {
      asked.push(query["pageNo"] ?? query["accountNumber"] ?? "");
      return replies[Math.min(asked.length, replies.length) - 1] ?? { kind: "no_answer", why: "nobody" };
    },
    close: async () => undefined,
  };
}

async function list(...replies: readonly WireReply[]) {
  const asked = client(...replies);
  const records: ProviderRecord[] = [];
  for await (const record of listDisbursements(asked, period)) records.push(record);
  return { records, asked: asked.asked };
}

describe("Monnify's own list", () => {
  test("gives records in our words, with a moment without a zone taken for Lagos", async () => {
    expect((await list(page([row()], 1))).records).toEqual([
      {
        kind: "payout",
        providerReference: "MFDS1",
        ourId: "999001261116091500000000000001",
        amount: 250_050n,
        fee: 1_075n,
        status: "success",
        word: "SUCCESS",
        createdAt: new Date("2026-11-16T08:15:00.000Z"),
      },
    ]);
  });

  test.each([
    ["SUCCESS", "success"],
    ["COMPLETED", "success"],
    ["FAILED", "failure"],
    ["EXPIRED", "failure"],
    ["REVERSED", "taken_back"],
    ["PENDING", "open"],
    ["something new", "open"],
  ])("calls %s %s", async (word, status) => {
    expect((await list(page([row({ status: word })], 1))).records).toMatchObject([{ status, word }]);
  });

  test("is read page by page, from 0, until the last or an empty one", async () => {
    const [one, two] = [page([row()], 2), page([row({ transactionReference: "MFDS2" })], 2)];
    expect(await list(one, two)).toMatchObject({ asked: ["0", "1"], records: [{}, { providerReference: "MFDS2" }] });
    expect((await list(page([row()]), page([]))).asked).toEqual(["0", "1"]);
  });

  test("tells a row once that slid to the next page, and none of another day", async () => {
    const others = ["2026-11-15T23:59:59", "2026-11-17T00:00:00"].map((createdOn, place) =>
      row({ transactionReference: `other-${place}`, createdOn }),
    );
    const { records } = await list(page([row(), ...others], 2), page([row()], 2));
    expect(records.map(({ providerReference }) => providerReference)).toEqual(["MFDS1"]);
  });

  test("knows a row by our reference where it has none of its own", async () => {
    const { records } = await list(page([row({ transactionReference: null, fee: undefined, totalFee: "20" })], 1));
    expect(records).toMatchObject([{ providerReference: "999001261116091500000000000001", fee: 2_000n }]);
  });

  test.each<[string, object]>([
    ["amount", { amount: "2500.505" }],
    ["amount", { amount: null }],
    ["word", { status: "" }],
    ["moment", { createdOn: "yesterday" }],
    ["reference", { transactionReference: null, reference: null }],
  ])("with a row without a readable %s is not a list", async (_, changes) => {
    await expect(list(page([row(), row(changes)], 1))).rejects.toThrow("has a row that cannot be read");
  });

  test.each<[string, WireReply]>([
    ["lost", { kind: "no_answer", why: "UND_ERR_SOCKET" }],
    ["refused", { kind: "answer", status: 401, headers: {}, body: { requestSuccessful: false } }],
    ["another thing", replying([row()])],
    ["a list that is none", page("all of it", 1)],
  ])("with a page that is %s is not a list", async (_, bad) => {
    await expect(list(page([row()], 2), bad)).rejects.toThrow("could not be read");
  });
});

describe("the wallet that payouts are paid from", () => {
  test("is asked for by its number, in naira", async () => {
    const asked = client(replying({ availableBalance: 125_000.5, ledgerBalance: 999 }));
    expect(await readFloat(asked)).toEqual({ available: 12_500_050n });
    expect(asked.asked).toEqual(["8016472829"]);
  });

  test("that is not told is not taken for empty", async () => {
    expect(await readFloat(client(replying({})))).toBeNull();
    expect(await readFloat(client({ kind: "no_answer", why: "x" }))).toBeNull();
    const refused: WireReply = { kind: "answer", status: 401, headers: {}, body: { responseMessage: "Bad keys" } };
    expect(await readFloat(client(refused))).toMatchObject({ reason: "keys_refused" });
  });
});
