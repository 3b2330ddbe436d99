import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { house } from "../../start/slices.ts";
import { inEnvironment, operatorScope } from "../database/database.ts";
import { withIdempotency } from "../records/idempotency.ts";
import { createSealer, generateMasterKey, keyCheck, keyId, type MasterKeys, parseMasterKeys } from "./crypto.ts";
import { agreeOnMasterKeys } from "./master-key-record.ts";
import { resealAll } from "./reseal.ts";

const { db, ownerUrl } = await createTestDatabase();
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => owner.end());

const [one, otherOne, two, otherTwo] = [1, 1, 2, 2].map((version) => generateMasterKey(version));
const keysOf = (...texts: (string | undefined)[]): MasterKeys => parseMasterKeys(texts.join(","));
const idOf = (text: string | undefined): string => keyId(keyCheck(keysOf(text)[0]));
const requestHash = createHash("sha256").update("request").digest();
const source = "JARA_MASTER_KEY";

let sandbox = "";
beforeEach(async () => {
  await owner.query("delete from master_keys; delete from idempotency_keys");
  sandbox = (await createMerchant(db)).environment.id;
});

function start(keys: MasterKeys | undefined): Promise<void> {
  return agreeOnMasterKeys({ ownerUrl, columns: house.sealedColumns, keys, source });
}

/** Something that a server with these keys has sealed. */
function work(keys: MasterKeys, name: string, environmentId = sandbox): Promise<unknown> {
  return inEnvironment(db, environmentId, (tx) =>
    withIdempotency(tx, createSealer(keys), { key: name, requestHash }, async () => ({ status: 201, body: name })),
  );
}

async function recorded(): Promise<unknown[]> {
  const found = await owner.query("select version, check_value, retired_at is not null as retired from master_keys");
  return found.rows.map((row) => `v${row.version} ${keyId(row.check_value)}${row.retired ? " retired" : ""}`).sort();
}

async function sealedRows(): Promise<unknown[]> {
  return (await owner.query("select * from idempotency_keys order by environment_id, key")).rows;
}

/** The start ends with this sentence, and neither the record nor anything sealed is other than before. */
async function refuses(keys: MasterKeys | undefined, sentence: RegExp): Promise<void> {
  const before = [await recorded(), await sealedRows()];
  await expect(start(keys)).rejects.toThrow(sentence);
  await expect(start(keys)).rejects.toThrow(/No data was changed\.$/);
  expect([await recorded(), await sealedRows()]).toEqual(before);
}

describe("an empty database", () => {
  test("takes the first key it is given, and asks for that key from then on", async () => {
    await start(keysOf(one));
    expect(await recorded()).toEqual([`v1 ${idOf(one)}`]);
    await start(keysOf(one));
    await refuses(keysOf(otherOne), new RegExp(`v1 in ${source} .* should be ${idOf(one)}, and is ${idOf(otherOne)}`));
  });

  test("expects no key, so that one can be made", async () => {
    await start(undefined);
    expect(await recorded()).toEqual([]);
  });

  test("gets one record from servers that start together, and those with another key are refused", async () => {
    const starts = [one, otherOne, one, otherOne].map((key) => start(keysOf(key)));
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
    const accepted = outcomes[0] === "fulfilled" ? one : otherOne;
    expect(outcomes.filter((status) => status === "fulfilled")).toHaveLength(2);
    expect(await recorded()).toEqual([`v1 ${idOf(accepted)}`]);
  });
});

describe("a database that was sealed under v1", () => {
  beforeEach(async () => {
    await start(keysOf(one));
    await work(keysOf(one), "a");
  });

  test("does not start without a key", async () => {
    await refuses(undefined, new RegExp(`No master key is set.*v1 \\(id ${idOf(one)}\\).*JARA_MASTER_KEY`));
  });

  test("does not start with v2 alone", async () => {
    const expected = `under the master key v1 \\(id ${idOf(one)}\\), and ${source} holds only v2 \\(id ${idOf(two)}\\)`;
    await refuses(keysOf(two), new RegExp(expected));
  });

  test("never shows a key in a refusal", async () => {
    for (const keys of [undefined, keysOf(two), keysOf(otherOne)]) {
      const message = await start(keys).catch((error: Error) => error.message);
      for (const key of [one, otherOne, two]) expect(message).not.toContain(key?.slice(3, 12));
    }
  });

  test("goes through an exchange of keys step by step", async () => {
    await start(keysOf(one, two));
    await start(keysOf(two, one));
    await work(keysOf(two, one), "b");
    await refuses(keysOf(one), /under the master key v2/);
    await refuses(keysOf(two), /under the master key v1/);
    await resealAll(db, createSealer(keysOf(two, one)), house.sealedColumns);
    await start(keysOf(two));
    expect(await recorded()).toEqual([`v1 ${idOf(one)} retired`, `v2 ${idOf(two)}`]);
    await refuses(keysOf(one), /under the master key v2/);
    await refuses(keysOf(two, otherOne), /v1 was exchanged before; give a new key the next free version/);
  });

  test("an exchange that was cut short needs both keys until it was carried on", async () => {
    for (const name of ["b", "c", "d"]) await work(keysOf(one), name);
    await start(keysOf(two, one));
    const cutOff = resealAll(db, createSealer(keysOf(two, one)), house.sealedColumns, {
      batchSize: 1,
      onBatch: () => {
        throw new Error("cut off");
      },
    });
    await expect(cutOff).rejects.toThrow("cut off");
    await refuses(keysOf(one), /under the master key v2/);
    await refuses(keysOf(two), /under the master key v1/);
    await start(keysOf(two, one));
    await resealAll(db, createSealer(keysOf(two, one)), house.sealedColumns);
    await start(keysOf(two));
  });

  test("a new key that was announced and never used can be taken back", async () => {
    await start(keysOf(one, two));
    await start(keysOf(one));
    expect(await recorded()).toEqual([`v1 ${idOf(one)}`, `v2 ${idOf(two)} retired`]);
    await start(keysOf(one, two));
    expect(await recorded()).toEqual([`v1 ${idOf(one)}`, `v2 ${idOf(two)}`]);
  });

  test("two servers cannot bring two different keys v2", async () => {
    await start(keysOf(one, two));
    await refuses(keysOf(one, otherTwo), /v2 in JARA_MASTER_KEY is not the one of this database/);
  });
});

describe("a database from before the record", () => {
  beforeEach(async () => {
    for (const name of ["a", "b", "c"]) await work(keysOf(one), name);
    await work(keysOf(one), "operator's", operatorScope);
  });

  test("accepts the key that opens what it holds", async () => {
    await start(keysOf(one));
    expect(await recorded()).toEqual([`v1 ${idOf(one)}`]);
  });

  test("refuses another key, one of another version, and none", async () => {
    await refuses(keysOf(otherOne), /open 0 of 4 values looked at that were sealed under v1/);
    await refuses(keysOf(two), /open 0 of 4 values looked at that were sealed under v1/);
    await refuses(undefined, /No master key is set, and this database holds data sealed under v1/);
  });

  test("needs both keys in the middle of an exchange", async () => {
    await work(keysOf(two, one), "d");
    await refuses(keysOf(two), /open 0 of 4 .* v1/);
    await refuses(keysOf(one), /open 0 of 1 .* v2/);
    await start(keysOf(two, one));
  });

  test("that ran under a wrong key for a while goes with the key that opens most of it", async () => {
    await work(keysOf(otherOne), "of the wrong hour");
    await refuses(keysOf(otherOne), /open 1 of 5 values/);
    await start(keysOf(one));
  });
});

test("the application can neither read nor write the record", async () => {
  const rights = await owner.query(
    "select has_table_privilege('jara_app', 'master_keys', 'select, insert, update, delete') as any",
  );
  expect(rights.rows).toEqual([{ any: false }]);
});
