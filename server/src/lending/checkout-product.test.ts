/** The migration says in SQL what products.ts says: an environment from before it gets the same product as a new one. */
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { uuidv7 } from "uuidv7";
import { afterAll, expect, inject, test } from "vitest";
import { createTestLending } from "../../testing/lending/lending.ts";
import { createDatabase, createPool, inEnvironment } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrations.ts";
import { openLending } from "./open-lending.ts";
import { checkoutCode, checkoutProduct, findProduct, publishProduct } from "./products.ts";

const migration = "0024-checkout-product.sql";
const migrations = join(import.meta.dirname, "..", "..", "migrations");
const name = `product_${randomBytes(6).toString("hex")}`;
const login = `plain_${name}`;

function urlOf(base: string, more: Partial<URL> = {}): string {
  const url = new URL(base);
  Object.assign(url, { pathname: `/${name}`, ...more });
  return url.toString();
}

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(inject("ownerUrl"), { pathname: "/postgres" }) });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Everything that was there before the product. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const file of await readdir(migrations)) {
    if (file < migration) await cp(join(migrations, file), join(folder, file));
  }
  return folder;
}

afterAll(() => administer(`drop database if exists ${name} with (force)`, `drop role if exists ${login}`));

test("an environment from before the product is given it by an owner whom row level security binds", async () => {
  await administer(
    `create role ${login} login password 'secret' nosuperuser nocreaterole nocreatedb`,
    `grant jara_app, jara_lookup to ${login}`,
    `create database ${name} owner ${login}`,
  );
  const owner = urlOf(inject("ownerUrl"), { username: login, password: "secret" });
  const folder = await earlierMigrations();
  await migrate(owner, folder);
  await rm(folder, { recursive: true });
  const db = createDatabase(createPool({ url: urlOf(inject("appUrl")), poolSize: 2 }));
  const before = new pg.Client({ connectionString: urlOf(inject("ownerUrl")) });
  await before.connect();
  // Written by hand: what opens an environment today may need more than the tables of that time.
  const [merchantId, environmentId] = [uuidv7(), uuidv7()];
  await before.query(
    "insert into merchants (id, name, email, created_at, list_position) values ($1, 'Old', 'old@example.com', now(), 1)",
    [merchantId],
  );
  await before.query(
    "insert into environments (id, merchant_id, kind, name, created_at) values ($1, $2, 'LIVE', 'Live', now())",
    [environmentId, merchantId],
  );
  expect(await migrate(owner)).toContain(migration);
  const forced = await before.query(
    "select relname, relforcerowsecurity as forced from pg_class where relname in ('environments', 'loan_products')",
  );
  expect(forced.rows.map(({ forced: isForced }) => isForced)).toEqual([true, true]);
  await before.end();
  await inEnvironment(db, environmentId, async (tx) => {
    const found = await findProduct(tx, checkoutCode);
    await openLending(tx);
    expect(await findProduct(tx, checkoutCode)).toEqual(found);
    // The id too is the one that publishing derives; nothing was inserted twice.
    expect(found).toEqual(await publishProduct(tx, 1, checkoutProduct));
    const rows = await tx.selectFrom("loan_products").select("id").where("code", "=", checkoutCode).execute();
    expect(rows).toHaveLength(1);
  });
  await db.destroy();
});

test("a new environment has it from the start", async () => {
  const lender = await createTestLending();
  expect(await lender.within((tx) => findProduct(tx, checkoutCode))).toMatchObject(checkoutProduct);
});
