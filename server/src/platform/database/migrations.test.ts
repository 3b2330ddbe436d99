import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createMerchant } from "../../../testing/factories.ts";
import { createDatabase, createPool } from "./database.ts";
import { migrate, missingMigrations, type Patience, type Sources } from "./migrations.ts";

const made: string[] = [];

function urlOf(base: string, database: string, login?: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  if (login !== undefined) Object.assign(url, { username: login, password: "secret" });
  return url.toString();
}

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(inject("ownerUrl"), "postgres") });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function createEmptyDatabase(ownedBy = "default"): Promise<string> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  await administer(`create database ${name} owner ${ownedBy}`);
  made.push(`drop database ${name} with (force)`);
  return name;
}

afterAll(() => administer(...made));

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Migrations alone, or functions alone: no other file is there to be applied. */
const nothing = await folderWith({});
const only = (migrations: string, patience?: Patience): Sources => ({
  migrations,
  functions: nothing,
  ...(patience === undefined ? {} : { patience }),
});

test("servers that start together migrate once, and later starts find nothing to do", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const outcomes = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const working = outcomes.filter((applied) => applied.length > 0);
  expect(working).toHaveLength(1);
  expect(working[0]?.[0]).toBe("0001-tenancy.sql");
  expect(await migrate(url)).toEqual([]);
});

test("a migration that fails leaves nothing behind and names itself", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const folder = await folderWith({
    "0001-good.sql": "create table good ();",
    "0002-bad.sql": "create table bad (); select 1 / 0;",
  });
  await expect(migrate(url, only(folder))).rejects.toThrow("0002-bad.sql failed");
  await writeFile(join(folder, "0002-bad.sql"), "create table bad ();");
  expect(await migrate(url, only(folder))).toEqual(["0002-bad.sql"]);
  await rm(folder, { recursive: true });
});

test("a migration that was changed after it was applied stops the start", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const folder = await folderWith({ "0001-first.sql": "create table first ();" });
  await migrate(url, only(folder));
  await writeFile(join(folder, "0001-first.sql"), "create table first (id int);");
  await expect(migrate(url, only(folder))).rejects.toThrow("was changed after it was applied");
  await rm(folder, { recursive: true });
});

test("a program that is older than the database does not start, and says what to do", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const newer = await folderWith({ "0001-first.sql": "select 1;", "0002-second.sql": "select 1;" });
  const older = await folderWith({ "0001-first.sql": "select 1;" });
  await migrate(url, only(newer));
  await expect(migrate(url, only(older))).rejects.toThrow("older than the database, which has 0002-second.sql");
  expect(await migrate(url, only(newer))).toEqual([]);
});

test("a migration waits for a lock in small steps, so that nobody waits behind it for long", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const first = { "0001-first.sql": "create table first (id int);" };
  await migrate(url, only(await folderWith(first)));
  const folder = await folderWith({ ...first, "0002-second.sql": "alter table first add column name text;" });
  const [reader, writer] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([reader.connect(), writer.connect()]);
  await reader.query("begin; select * from first");
  const patience = { lockMs: 100, tries: 3, pauseMs: 50 };
  await expect(migrate(url, only(folder, patience))).rejects.toThrow("0002-second.sql failed and was rolled back");
  const migrating = migrate(url, only(folder, { ...patience, tries: 1_000 }));
  // Behind a lock that is waited for without end, this would wait for the reader's transaction.
  await writer.query("set statement_timeout = 5000; insert into first values (1)");
  await reader.query("rollback");
  expect(await migrating).toEqual(["0002-second.sql"]);
  await Promise.all([reader.end(), writer.end()]);
});

test("an index is built beside writers while other servers wait their turn, also after it was cut off", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  const first = { "0001-first.sql": "create table first (id int); insert into first values (1), (1);" };
  const build = (kind: string) => `-- Built while servers write; a comment may say "drop table".
    drop index concurrently if exists first_by_id;
    create ${kind} concurrently first_by_id on first (id);`;
  const unfit = await folderWith({ ...first, "0002-index.sql": build("unique index") });
  await expect(migrate(url, only(unfit))).rejects.toThrow("0002-index.sql failed; start again to repeat it");
  const folder = await folderWith({ ...first, "0002-index.sql": build("index") });
  const writer = new pg.Client(url);
  await writer.connect();
  await writer.query("begin; insert into first values (2)");
  const starting = Promise.all([migrate(url, only(folder)), migrate(url, only(folder))]);
  // The build waits for this writer, and nobody waits behind the build.
  await writer.query("set local statement_timeout = 5000; insert into first values (3); commit");
  expect((await starting).flat()).toEqual(["0002-index.sql"]);
  const valid = "select indisvalid from pg_index where indexrelid = 'first_by_id'::regclass";
  expect((await writer.query(valid)).rows).toEqual([{ indisvalid: true }]);
  await writer.end();
});

describe("functions", () => {
  const answering = (n: number): string => `create or replace function answer() returns int language sql return ${n};`;
  const asked = async (url: string): Promise<number> => {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ answer: number }>("select answer()");
    await client.end();
    return rows[0]?.answer ?? 0;
  };
  const from = (functions: string, release: string): Sources => ({ migrations: nothing, functions, release });

  test("are applied where their text changed, below every room and after what their inner rooms share", async () => {
    const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
    const caller = "create or replace function doubled() returns int language sql return 2 * answer();";
    const folder = await folderWith({ "room/inner/a.sql": caller, "room/z.sql": answering(21) });
    expect(await migrate(url, from(folder, "0.3.0"))).toEqual(["room/z.sql", "room/inner/a.sql"]);
    expect(await migrate(url, from(folder, "0.3.0"))).toEqual([]);
    await writeFile(join(folder, "room/z.sql"), answering(42));
    expect(await migrate(url, from(folder, "0.3.0"))).toEqual(["room/z.sql"]);
    expect(await asked(url)).toBe(42);
  });

  test("of which one fails leave all as they were, and it is named", async () => {
    const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
    await migrate(url, from(await folderWith({ "a.sql": answering(1) }), "0.3.0"));
    const broken = await folderWith({ "a.sql": answering(2), "b.sql": "create or replace function b(" });
    const failing = migrate(url, from(broken, "0.3.0"));
    await expect(failing).rejects.toMatchObject({
      message: "A change of 2 function files failed and was rolled back.",
      cause: { message: "server/src/b.sql cannot be applied." },
    });
    expect(await asked(url)).toBe(1);
  });

  test("of a newer release are not taken back by an older program, which does not start", async () => {
    const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
    await migrate(url, from(await folderWith({ "a.sql": answering(1) }), "0.9.0"));
    await migrate(url, from(await folderWith({ "a.sql": answering(2) }), "0.10.0"));
    const older = migrate(url, from(await folderWith({ "a.sql": answering(1) }), "0.9.0"));
    await expect(older).rejects.toThrow("(0.9.0) is older than the database, whose a.sql is of 0.10.0");
    expect(await asked(url)).toBe(2);
  });

  test("do not change their arguments under one name, because the release before calls them", async () => {
    const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
    const owned = "alter function answer owner to jara_lookup;";
    await migrate(url, from(await folderWith({ "a.sql": answering(1) + owned }), "0.3.0"));
    const other = answering(2).replace("answer()", "answer(n int)") + owned;
    await expect(migrate(url, from(await folderWith({ "a.sql": other }), "0.4.0"))).rejects.toMatchObject({
      cause: { cause: { message: expect.stringContaining("is not unique") } },
    });
  });
});

test("a database of a release whose schema grew step by step is left alone, and the reason is said", async () => {
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase());
  await migrate(url, only(await folderWith({ "0001-roles-and-tenancy.sql": "select 1;" })));
  await expect(migrate(url)).rejects.toThrow("made by Jara 0.2 or older");
});

test("an owner without special rights migrates when an administrator made the roles", async () => {
  const login = `plain_${randomBytes(6).toString("hex")}`;
  await administer(
    `create role ${login} login password 'secret' nosuperuser nocreaterole nocreatedb`,
    `grant jara_app, jara_lookup to ${login}`,
  );
  const name = await createEmptyDatabase(login);
  made.push(`drop role ${login}`);
  expect(await migrate(urlOf(inject("ownerUrl"), name, login))).not.toEqual([]);

  const db = createDatabase(createPool({ url: urlOf(inject("appUrl"), name), poolSize: 2 }));
  expect((await createMerchant(db)).merchant.environments).toHaveLength(1);
  expect(await missingMigrations(db)).toEqual([]);
  await db.destroy();
});

test("one login can own the schema and serve, stepping down to the application's role", async () => {
  const login = `single_${randomBytes(6).toString("hex")}`;
  await administer(
    `create role ${login} login password 'secret' nosuperuser`,
    `grant jara_app, jara_lookup to ${login}`,
  );
  const url = urlOf(inject("ownerUrl"), await createEmptyDatabase(login), login);
  made.push(`drop role ${login}`);
  await migrate(url);
  const pool = createPool({ url, poolSize: 1, role: "jara_app" });
  const db = createDatabase(pool);
  await createMerchant(db);
  const seen = await pool.query("select current_user, (select count(*) from api_keys) as keys");
  expect(seen.rows).toEqual([{ current_user: "jara_app", keys: 0n }]);
  await db.destroy();
});
