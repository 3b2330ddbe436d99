import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../server/testing/database.ts";
import { databaseTypes } from "./database-types.ts";
import { errorsDocument } from "./errors-document.ts";
import { eventsDocument } from "./events-document.ts";
import { findDifference, writeProduct } from "./product.ts";
import { schemaSql } from "./schema-sql.ts";

const { ownerUrl } = await createTestDatabase();

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe("schema.sql", () => {
  test("does not show the runner's own tables", async () => {
    expect(await schemaSql(ownerUrl)).not.toMatch(/schema_(migrations|functions)/);
  });

  test.each([
    ["a new table", "create table gifts (id int primary key)", "create table gifts"],
    ["that it is unlogged", "create unlogged table hints (id int)", "create unlogged table hints"],
    ["a column", "alter table gifts add note text default 'x' not null", "note text default 'x'::text not null"],
    [
      "an identity",
      "alter table gifts add n bigint generated always as identity",
      "n bigint generated always as identity",
    ],
    ["a check", "alter table gifts add constraint note_short check (length(note) < 9)", "constraint note_short CHECK"],
    ["an index", "create index gifts_by_note on gifts (note) where note <> ''", "CREATE INDEX gifts_by_note"],
    [
      "row level security",
      "alter table gifts enable row level security",
      "alter table gifts enable row level security",
    ],
    ["its force", "alter table gifts force row level security", "alter table gifts force row level security"],
    [
      "a policy",
      "create policy mine on gifts for select to jara_app using (id = 1)",
      "create policy mine on gifts for select to jara_app\n  using ((id = 1))",
    ],
    ["a grant", "grant select, update (note) on gifts to jara_app", "grant update (note) on gifts to jara_app"],
    [
      "a trigger",
      "create trigger still before update on gifts execute function refuse_change()",
      "CREATE TRIGGER still BEFORE UPDATE ON public.gifts",
    ],
    ["an enum", "create type colour as enum ('red', 'blue')", "create type colour as enum ('red', 'blue');"],
    ["a function", "create function one() returns int language sql return 1", "FUNCTION public.one()"],
    ["its owner", "alter function one() owner to jara_lookup", "alter function one() owner to jara_lookup"],
    [
      "its narrowed right",
      "revoke execute on function one() from public",
      "revoke execute on function one() from public",
    ],
    ["a view", "create view two as select 2 as n", "create view two as"],
  ])("shows %s", async (_name, statement, line) => {
    const before = await schemaSql(ownerUrl);
    expect(before).not.toContain(line);
    await asOwner(statement);
    expect(await schemaSql(ownerUrl)).toContain(line);
  });
});

test("database types hold the tables and neither the runner's tables nor the job queue", async () => {
  await asOwner("create schema if not exists pgboss; create table if not exists pgboss.job (id int)");
  const types = await databaseTypes(ownerUrl);
  expect(types.split("\n")[0]).toContain("Generated");
  expect(types).toContain("idempotency_keys: IdempotencyKeys;");
  expect(types).not.toMatch(/schema_(migrations|functions)|pgboss/);
});

test("errors.md groups codes by status and sorts them, each under a heading with cause and cure", () => {
  const document = errorsDocument({
    zebra: { status: 404, cause: "No zebra.", cure: "Look for stripes." },
    ant: { status: 404, cause: "No ant." },
    wrong: {
      status: 400,
      cause: "Wrong.",
      cure: "data.left says how often you may try.",
      retryAfter: true,
      data: Type.Object({ left: Type.Integer() }),
    },
  });
  expect(document.split("\n")[0]).toContain("Generated");
  expect(document).toMatch(/## 400 Bad Request[\s\S]*`wrong`[\s\S]*## 404 Not Found[\s\S]*`ant`[\s\S]*`zebra`/);
  expect(document).toContain("### `zebra`\n\n- Cause: No zebra.\n- Cure: Look for stripes.\n");
  expect(document).toContain("- Cause: No ant.\n- Cure: Check the id, and ");
  expect(document).toContain(
    "- Cure: `data.left` says how often you may try.\n- `data`: `{ left }`; with `Retry-After`\n",
  );
});

test("errors.md refuses a code without a cure", () => {
  expect(() => errorsDocument({ odd: { status: 422, cause: "Odd." } })).toThrow("odd says no cure");
});

test("events.md lists events by name, says where the record is read and shows an example", () => {
  const data = Type.Object({ id: Type.String({ examples: ["z1"] }) });
  const document = eventsDocument({
    "zebra.born": { description: "A zebra | foal.", data, readAt: "/zebras/{id}" },
    "ant.born": { description: "An ant.", data },
  });
  expect(document.split("\n")[0]).toContain("Generated");
  expect(document).toMatch(/\(#antborn\)[\s\S]*\(#zebraborn\)[\s\S]*## ant.born[\s\S]*## zebra.born/);
  expect(document).toContain("A zebra \\| foal.");
  expect(document.match(/GET \/zebras\/\{id\}/g)).toHaveLength(1);
  expect(document).toContain('"id": "z1"');
});

describe("the comparison", () => {
  test("names the first line that differs, and is content after writing", async () => {
    const folder = await mkdtemp(join(tmpdir(), "jara-compare-"));
    expect(await findDifference(folder, "a/b.txt", "one\ntwo\n")).toContain('a/b.txt:1: is "", should be "one"');
    await writeProduct(folder, "a/b.txt", "one\ntwo\n");
    expect(await findDifference(folder, "a/b.txt", "one\ntwo\n")).toBeUndefined();
    expect(await findDifference(folder, "a/b.txt", "one\n2\n")).toContain('a/b.txt:2: is "two", should be "2"');
    expect(await findDifference(folder, "a/b.txt", "one")).toContain("a/b.txt:2");
    await rm(folder, { recursive: true });
  });
});
