/** A statement in CSV is made by PostgreSQL: to the byte what we make of the same lines, whatever strangers wrote. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { systemAccountId } from "../ledger/account.ts";
import { post, postBatch } from "../ledger/post.ts";
import { readStatement } from "../ledger/statement.ts";
import { kobo } from "../money/kobo.ts";
import { inEnvironment, readEnvironment } from "../platform/database/database.ts";
import type { Read } from "../platform/http/route.ts";
import { csvHeader, csvLine } from "./statement-line.ts";
import { streamStatement } from "./statement-routes.ts";
import { mainWalletId } from "./wallet.ts";

const { db } = await createTestDatabase();

interface Entry {
  readonly amount: bigint;
  readonly narration: string | null;
  readonly reference: string | null;
  readonly ownResource: boolean;
}

async function openWallet() {
  const { environment } = await createMerchant(db);
  const accountId = mainWalletId(environment.id);
  const outside = systemAccountId(environment.id, "outside");
  const read: Read = (work) => readEnvironment(db, environment.id, work);
  const legsOf = (amount: bigint) => [
    { accountId, amount: kobo(amount) },
    { accountId: outside, amount: kobo(-amount) },
  ];
  return {
    write: (entries: readonly Entry[]) =>
      inEnvironment(db, environment.id, async (tx) => {
        for (const { amount, narration, reference, ownResource } of entries) {
          const id = tx.environment.clock.newId();
          const resource = { type: "test", id: ownResource ? id : tx.environment.clock.newId(), reference };
          await post(tx, { id, kind: "test.posted", resource, narration, legs: legsOf(amount) });
        }
      }),
    fill: (lines: number) =>
      inEnvironment(db, environment.id, async (tx) => {
        const ids = Array.from({ length: lines }, () => tx.environment.clock.newId());
        const common = { kind: "test.posted", narration: "Salary", legs: legsOf(1n) };
        const postings = ids.map((id) => ({ ...common, id, resource: { type: "test", id, reference: null } }));
        await postBatch(tx, postings);
      }),
    stream: (last: number, first = 1, through = read) =>
      streamStatement(
        through,
        { accountId, span: { from: null, to: null } },
        { first: BigInt(first), last: BigInt(last) },
      ),
    read,
    byUs: async (last: number) => {
      const lines = await read((tx) => readStatement(tx, accountId, { first: 1n, last: BigInt(last) }));
      return csvHeader + lines.map(csvLine).join("");
    },
  };
}

const whole = async (chunks: AsyncIterable<string>) => (await Array.fromAsync(chunks)).join("");

const unit = fc.constantFrom(
  '"',
  ",",
  "\r",
  "\n",
  "\t",
  ";",
  "'",
  "=",
  "+",
  "-",
  "@",
  "＝",
  "a",
  "Z",
  "9",
  " ",
  "\u001e",
  "ọ",
  "₦",
  "\\",
);
const words = fc.option(fc.string({ unit, maxLength: 8 }), { nil: null });
const entry = fc.record({
  amount: fc.oneof(fc.bigInt(1n, 120n), fc.bigInt(1n, 10n ** 14n)),
  narration: words,
  reference: words,
  ownResource: fc.boolean(),
});

test("what PostgreSQL writes is what we would write, for any words and amounts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 20 }), async (entries) => {
      const wallet = await openWallet();
      const debit = { amount: -(entries[0]?.amount ?? 1n), narration: "out", reference: null, ownResource: true };
      await wallet.write([...entries, debit]);
      const lines = entries.length + 1;
      expect(await whole(wallet.stream(lines))).toBe(await wallet.byUs(lines));
    }),
    { numRuns: 25 },
  );
});

test("two parts are read ahead and no more, and a caller who leaves ends it", async () => {
  const wallet = await openWallet();
  await wallet.fill(3_500);
  let begun = 0;
  const counting: Read = (work) => {
    begun += 1;
    return wallet.read(work);
  };
  const chunks = wallet.stream(3_500, 1, counting);
  expect((await chunks.next()).value).toBe(csvHeader);
  expect(begun).toBe(0);
  for (const taken of [1, 2, 3]) {
    expect(String((await chunks.next()).value).split("\r\n")).toHaveLength(1_001);
    expect(begun).toBe(Math.min(taken + 2, 4));
  }
  await chunks.return(undefined);
  expect([await chunks.next(), begun]).toEqual([{ value: undefined, done: true }, 4]);
});

test("a part that cannot be read ends the file there, and troubles nobody who left before", async () => {
  const wallet = await openWallet();
  await wallet.fill(2_100);
  const failing = (at: number): Read => {
    let begun = 0;
    return (work) => {
      begun += 1;
      return begun === at ? Promise.reject(new Error("the second part is lost")) : wallet.read(work);
    };
  };
  const chunks = wallet.stream(2_100, 1, failing(2));
  await chunks.next();
  expect((await chunks.next()).value).toContain("Salary");
  await expect(chunks.next()).rejects.toThrow("the second part is lost");
  const left = wallet.stream(2_100, 1, failing(2));
  await left.next();
  await left.next();
  expect(await left.return(undefined)).toEqual({ value: undefined, done: true });
});

test("a span that begins in the middle has its lines and no others", async () => {
  const wallet = await openWallet();
  await wallet.fill(1_250);
  const rows = (await whole(wallet.stream(1_200, 101))).trimEnd().split("\r\n").slice(1);
  expect(rows).toHaveLength(1_100);
  expect([rows[0]?.split(",")[5], rows.at(-1)?.split(",")[5]]).toEqual(["12.00", "1.01"]);
});
