/** An operator of the first version upgrades with the data, and the books are in order at once. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { indexNins } from "../../server/src/checkout/customers/index-nins.ts";
import { ninPurpose } from "../../server/src/checkout/customers/sealed-columns.ts";
import { createDatabase, createPool } from "../../server/src/platform/database/database.ts";
import { migrate } from "../../server/src/platform/database/migrations.ts";
import { createSealer, parseMasterKeys } from "../../server/src/platform/secrets/crypto.ts";
import { type FirstVersion, restoreFirstVersion } from "./first-version.ts";

const server = join(import.meta.dirname, "..", "..", "server", "src");
const name = `upgrade_${randomBytes(6).toString("hex")}`;
const urlOf = (login: "ownerUrl" | "appUrl", database = name): string => {
  const address = new URL(inject(login));
  address.pathname = `/${database}`;
  return address.toString();
};

async function query(text: string, database = name): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: urlOf("ownerUrl", database) });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

function run(program: string): { status: number | null; output: string } {
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: urlOf("appUrl"),
    DATABASE_OWNER_URL: urlOf("ownerUrl"),
    JARA_MASTER_KEY: restored.masterKey,
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(server, program)], { env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

let restored: FirstVersion;
beforeAll(async () => {
  await query(`create database ${name} owner jara_owner`, "postgres");
  restored = await restoreFirstVersion(urlOf("ownerUrl"));
  await migrate(urlOf("ownerUrl"));
});
afterAll(() => query(`drop database ${name} with (force)`, "postgres"));

test("the books of an upgraded database are verified without a difference", () => {
  expect(run("verify-ledger.ts")).toEqual({ status: 0, output: "Environments verified: 1. Differences: 0.\n" });
});

test("what is owed of each loan is what its account says, also where it was partly repaid or refunded", async () => {
  const owed = await query(`select status, owed_principal::int / 100 from checkout_loans order by created_at`);
  expect(owed).toEqual([
    ["active", 40_000],
    ["active", 28_000],
    ["active", 40_000],
    ["completed", 0],
    ["active", 18_000],
    ["completed", 0],
    ["active", 40_000],
    ["active", 30_000],
    ["active", 40_000],
    ["active", 60_000],
  ]);
});

test("refunds of the first version stay as they were booked", async () => {
  expect(await query("select distinct prepaid from loan_reductions")).toEqual([["kept"]]);
});

test("the first start finds customers by their NIN again, and the next has nothing to do", async () => {
  const unindexed = "select count(*)::int from customers where sealed_nin is not null and nin_index is null";
  expect(await query(unindexed)).toEqual([[10]]);
  const db = createDatabase(createPool({ url: urlOf("appUrl"), poolSize: 2 }));
  const sealer = createSealer(parseMasterKeys(restored.masterKey));
  expect(await indexNins(db, sealer)).toEqual({ resealed: 10, unreadable: [] });
  expect(await query(unindexed)).toEqual([[0]]);
  const [index] = await query("select nin_index from customers order by created_at limit 1");
  expect(index).toEqual([sealer.blindIndex("11223344550", ninPurpose)]);
  expect(await indexNins(db, sealer)).toEqual({ resealed: 0, unreadable: [] });
  await db.destroy();
});
