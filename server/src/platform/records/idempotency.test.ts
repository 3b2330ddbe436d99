import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { patienceMs } from "../../../testing/patience.ts";
import { inEnvironment, type Tx } from "../database/database.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../secrets/crypto.ts";
import {
  claimIdempotencyKeys,
  type IdempotentRequest,
  type KeptReply,
  keepReplies,
  purgeIdempotencyKeys,
  releaseIdempotencyKeys,
  withIdempotency,
} from "./idempotency.ts";
import { readTotal, takePositions } from "./pagination.ts";

const { db, ownerUrl } = await createTestDatabase();
const sealer = createSealer(parseMasterKeys(generateMasterKey()));
const environment = (await createMerchant(db)).environment.id;
const other = (await createMerchant(db)).environment.id;

const requestOf = (key: string, body = "{}"): IdempotentRequest => ({
  key,
  requestHash: createHash("sha256").update(body).digest(),
});

/** The effect: a counter that anybody can read. */
function effect(tx: Tx, name: string, reply: KeptReply = { status: 201, body: `{"name":"${name}"}` }) {
  return async () => {
    await takePositions(tx, name, 1);
    return reply;
  };
}

const send = (request: IdempotentRequest, name: string, inside = environment) =>
  inEnvironment(db, inside, (tx) => withIdempotency(tx, sealer, request, effect(tx, name)));

const effects = (name: string, inside = environment) => inEnvironment(db, inside, (tx) => readTotal(tx, name));

const rowsWith = (key: string) =>
  inEnvironment(db, environment, (tx) =>
    tx.selectFrom("idempotency_keys").selectAll().where("key", "=", key).execute(),
  );

test("the same request again gets the first reply and has no second effect", async () => {
  const request = requestOf("again");
  const first = await send(request, "again");
  expect(first).toEqual({ reply: { status: 201, body: '{"name":"again"}' }, replayed: false });
  expect(await send(request, "again")).toEqual({ reply: first.reply, replayed: true });
  expect(await effects("again")).toBe(1n);
});

test("the same key with another request is a conflict", async () => {
  await send(requestOf("taken"), "taken");
  await expect(send(requestOf("taken", '{"other":true}'), "taken")).rejects.toMatchObject({
    code: "idempotency_key_conflict",
    status: 409,
  });
  expect(await effects("taken")).toBe(1n);
});

test("twenty twins at once have one effect and get one reply", async () => {
  const request = requestOf("twins");
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(request, "twins")));
  expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(replies.map(({ reply }) => reply.body)).size).toBe(1);
  expect(await effects("twins")).toBe(1n);
});

test("a twin that waited for one that fails does the work itself", async () => {
  const request = requestOf("heir");
  const started = Promise.withResolvers<void>();
  const fail = Promise.withResolvers<never>();
  const first = inEnvironment(db, environment, (tx) =>
    withIdempotency(tx, sealer, request, async () => {
      started.resolve();
      return fail.promise;
    }),
  );
  await started.promise;
  const twin = send(request, "heir");
  await waitForAWaiter();
  fail.reject(new Error("no funds"));
  await expect(first).rejects.toThrow("no funds");
  expect((await twin).replayed).toBe(false);
  expect(await effects("heir")).toBe(1n);
});

test("a twin does not wait for ever", async () => {
  const request = requestOf("slow");
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<KeptReply>();
  const first = inEnvironment(db, environment, (tx) =>
    withIdempotency(tx, sealer, request, () => {
      started.resolve();
      return finish.promise;
    }),
  );
  await started.promise;
  await expect(send(request, "slow")).rejects.toMatchObject({ code: "idempotency_key_in_use", status: 409 });
  finish.resolve({ status: 200, body: "{}" });
  expect((await first).replayed).toBe(false);
  expect((await send(request, "slow")).replayed).toBe(true);
});

test("the wait for a twin does not shorten other waits of the transaction", async () => {
  await inEnvironment(db, environment, async (tx) => {
    await claimIdempotencyKeys(tx, sealer, [requestOf("patience")]);
    const setting = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(tx);
    expect(setting.rows[0]?.lock_timeout).toBe("0");
    await releaseIdempotencyKeys(tx, ["patience"]);
  });
});

test("refused work leaves no key, whether it throws or returns a refusal", async () => {
  const request = requestOf("refused");
  await expect(
    inEnvironment(db, environment, (tx) =>
      withIdempotency(tx, sealer, request, () => Promise.reject(new Error("refused"))),
    ),
  ).rejects.toThrow("refused");
  expect(await rowsWith("refused")).toEqual([]);
  await inEnvironment(db, environment, (tx) =>
    withIdempotency(tx, sealer, request, async () => ({ status: 422, body: "{}" })),
  );
  expect(await rowsWith("refused")).toEqual([]);
  expect((await send(request, "refused")).replayed).toBe(false);
});

test("another environment's same key is independent", async () => {
  const request = requestOf("shared");
  await send(request, "shared");
  expect((await send(request, "shared", other)).replayed).toBe(false);
  expect(await effects("shared", other)).toBe(1n);
});

test("a reply is kept sealed and opens in its own place only", async () => {
  const secret = `sk_test_${randomUUID()}`;
  await inEnvironment(db, environment, (tx) =>
    withIdempotency(tx, sealer, requestOf("sealed"), async () => ({ status: 201, body: secret })),
  );
  const [row] = await rowsWith("sealed");
  expect(row?.sealed_body?.includes(secret)).toBe(false);
  await inEnvironment(db, environment, (tx) =>
    tx
      .insertInto("idempotency_keys")
      .values({ ...row, environment_id: environment, key: "moved", request_hash: requestOf("moved").requestHash })
      .execute(),
  );
  await expect(send(requestOf("moved"), "moved")).rejects.toMatchObject({ name: "SealError" });
});

test("a batch is told of each request whether it is new, kept, a twin or a conflict", async () => {
  await send(requestOf("batch-kept"), "batch");
  const claims = await inEnvironment(db, environment, async (tx) => {
    const made = await claimIdempotencyKeys(tx, sealer, [
      requestOf("batch-b"),
      requestOf("batch-kept"),
      requestOf("batch-a"),
      requestOf("batch-kept", "other"),
      requestOf("batch-b"),
    ]);
    await keepReplies(tx, sealer, [{ key: "batch-a", reply: { status: 201, body: "A" } }]);
    await releaseIdempotencyKeys(tx, ["batch-b"]);
    await releaseIdempotencyKeys(tx, []);
    return made;
  });
  expect(claims).toEqual([
    { kind: "new" },
    { kind: "kept", reply: { status: 201, body: '{"name":"batch"}' } },
    { kind: "new" },
    { kind: "conflict" },
    { kind: "twin", of: 0 },
  ]);
  expect((await send(requestOf("batch-a"), "batch")).reply.body).toBe("A");
  expect((await send(requestOf("batch-b"), "batch")).replayed).toBe(false);
});

test("one key with two contents in one batch: one is new and the other a conflict, never a twin of it", async () => {
  await inEnvironment(db, environment, async (tx) => {
    const claims = await claimIdempotencyKeys(tx, sealer, [requestOf("split", "1"), requestOf("split", "2")]);
    expect(claims.map(({ kind }) => kind).sort()).toEqual(["conflict", "new"]);
    await releaseIdempotencyKeys(tx, ["split"]);
  });
});

test("batches that share keys in opposite orders do not lock each other out", async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `crossed-${index}`);
  const claim = (batch: string[]) =>
    inEnvironment(db, environment, async (tx) => {
      const claims = await claimIdempotencyKeys(
        tx,
        sealer,
        batch.map((key) => requestOf(key)),
      );
      const fresh = batch.filter((_, index) => claims[index]?.kind === "new");
      await keepReplies(
        tx,
        sealer,
        fresh.map((key) => ({ key, reply: { status: 200, body: "{}" } })),
      );
      return fresh.length;
    });
  const counts = await Promise.all([claim(keys), claim(keys.toReversed()), claim(keys), claim(keys.toReversed())]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
});

test("keys are kept for more than a day and then forgotten, of all environments", async () => {
  for (const inside of [environment, other]) await send(requestOf("old"), "old", inside);
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  expect(await purgeIdempotencyKeys(db, hours(25))).toBe(0);
  expect((await send(requestOf("old"), "old")).replayed).toBe(true);
  expect(await purgeIdempotencyKeys(db, hours(49))).toBeGreaterThanOrEqual(2);
  expect((await send(requestOf("old"), "old")).replayed).toBe(false);
  expect((await send(requestOf("old"), "old", other)).replayed).toBe(false);
});

/** Resolves when some session of this database waits for a lock. */
async function waitForAWaiter(): Promise<void> {
  const observer = new pg.Client({ connectionString: ownerUrl });
  await observer.connect();
  await vi.waitFor(async () => {
    const waiting = await observer.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting.rowCount).toBeGreaterThan(0);
  }, patienceMs);
  await observer.end();
}
