import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createSpending } from "../../testing/ledger/spending.ts";

const spending = createSpending((await createTestDatabase(12)).db);
let environment: string;

beforeEach(async () => {
  environment = await spending.openPurse(1_000n);
});

const hashOf = (text: string) => Buffer.alloc(32, text);
const keep = (key: string, asked = "asked") => ({
  key,
  requestHash: hashOf(asked),
  present: (amount: bigint) => ({ status: 201, body: `spent ${amount}` }),
});

test("twins in one batch have one effect, and the second replays the first", async () => {
  const group = spending.groupCommit();
  const twins = await Promise.all(
    Array.from({ length: 5 }, () => group.submitKept(environment, spending.kind, { amount: 9n }, keep("twins"))),
  );
  expect(twins.filter((twin) => "output" in twin)).toEqual([{ output: 9n }]);
  expect(twins.filter((twin) => "replay" in twin)).toEqual(Array(4).fill({ replay: { status: 201, body: "spent 9" } }));
  expect(await spending.leftIn(environment)).toBe(991n);
});

test("a later repeat replays, another request under the key is a conflict", async () => {
  const group = spending.groupCommit();
  await group.submitKept(environment, spending.kind, { amount: 9n }, keep("later"));
  const again = await group.submitKept(environment, spending.kind, { amount: 9n }, keep("later"));
  expect(again).toEqual({ replay: { status: 201, body: "spent 9" } });
  const conflict = group.submitKept(environment, spending.kind, { amount: 8n }, keep("later", "something else"));
  await expect(conflict).rejects.toMatchObject({ code: "idempotency_key_conflict", status: 409 });
  expect(await spending.leftIn(environment)).toBe(991n);
});

test("two requests under one key in one batch: the first counts, the second is a conflict", async () => {
  const group = spending.groupCommit();
  const outcomes = await Promise.allSettled([
    group.submitKept(environment, spending.kind, { amount: 9n }, keep("both")),
    group.submitKept(environment, spending.kind, { amount: 8n }, keep("both", "something else")),
  ]);
  expect(outcomes).toMatchObject([{ value: { output: 9n } }, { reason: { code: "idempotency_key_conflict" } }]);
  const again = await group.submitKept(environment, spending.kind, { amount: 9n }, keep("both"));
  expect(again).toHaveProperty("replay");
  expect(await spending.leftIn(environment)).toBe(991n);
});

test("a refusal leaves the key free for another try", async () => {
  const group = spending.groupCommit();
  const poor = group.submitKept(environment, spending.kind, { amount: 2_000n }, keep("poor"));
  await expect(poor).rejects.toMatchObject({ code: "insufficient_funds" });
  await spending.fill(environment, 5_000n);
  expect(await group.submitKept(environment, spending.kind, { amount: 2_000n }, keep("poor"))).toEqual({
    output: 2_000n,
  });
});

test("an outcome that is not to be kept leaves the key free", async () => {
  const group = spending.groupCommit();
  const unkept = { ...keep("unkept"), present: () => null };
  expect(await group.submitKept(environment, spending.kind, { amount: 1n }, unkept)).toEqual({ output: 1n });
  expect(await group.submitKept(environment, spending.kind, { amount: 1n }, unkept)).toEqual({ output: 1n });
});
