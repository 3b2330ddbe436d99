import { expect, test } from "vitest";
import { isReleased, lintMigration, newestReleased } from "./lint.ts";

const rulesOf = (sql: string): string[] => [...new Set(lintMigration(sql).map(({ rule }) => rule))];

test.each([
  [
    "a column that the last release reads is dropped",
    "alter table transfers drop column narration;",
    "ban-drop-column",
  ],
  ["or renamed", "alter table transfers rename column narration to note;", "renaming-column"],
  ["a table is dropped", "drop table transfers;", "ban-drop-table"],
  ["or renamed", "alter table transfers rename to payouts;", "renaming-table"],
  [
    "a type is changed, which writes the table again",
    "alter table t alter column a type bigint;",
    "changing-column-type",
  ],
  ["a column must have a value and has none", "alter table t add column a text not null;", "adding-required-field"],
  [
    "a default that every row computes, which writes the table again",
    "alter table t add column a timestamptz not null default clock_timestamp();",
    "adding-field-with-default",
  ],
  [
    "a generated column, which writes the table again",
    "alter table t add column a bigint generated always as (b + 1) stored;",
    "adding-field-with-default",
  ],
  ["a whole table is read under a lock", "alter table t alter column a set not null;", "adding-not-nullable-field"],
  ["a check reads it, too", "alter table t add constraint c check (a > 0);", "constraint-missing-not-valid"],
  [
    "a foreign key locks two",
    "alter table t add constraint f foreign key (a) references b (a);",
    "adding-foreign-key-constraint",
  ],
  [
    "an index stops writers while it is built",
    "create index i on transfers (amount);",
    "require-concurrent-index-creation",
  ],
  ["a unique constraint stops everybody", "alter table t add constraint u unique (a);", "disallowed-unique-constraint"],
  ["an index cannot be dropped under a lock", "drop index i;", "require-concurrent-index-deletion"],
  ["a function that the last release calls is dropped", "drop function move_transfers(uuid);", "ban-drop-function"],
  ["or renamed", "alter function f(uuid) rename to g;", "ban-rename-function"],
  ["every row is written again", "update transfers set amount = amount;", "ban-whole-table-write"],
  ["or thrown away", "truncate transfers;", "ban-whole-table-write"],
  [
    "something else stands beside a concurrent build",
    "create index concurrently i on t (a); select 1;",
    "index-of-its-own",
  ],
  ["a half-built index is not dropped first", "create index concurrently i on t (a);", "index-of-its-own"],
  ["a waiver gives no reason", "-- squawk-ignore ban-drop-table\ndrop table t;", "waiver-without-reason"],
  ["a whole file is waived", "-- squawk-ignore-file ban-drop-table\ndrop table t;", "waiver-without-reason"],
  ["a whole file is waived of every rule", "-- squawk-ignore-file\ndrop table t;", "waiver-without-reason"],
  [
    "a whole file is waived, with a reason",
    "-- safe because it is small enough\n-- squawk-ignore-file ban-drop-table\ndrop table t;",
    "waiver-without-reason",
  ],
  ["a waiver without a blank", "--squawk-ignore ban-drop-table\ndrop table t;", "waiver-without-reason"],
  ["a waiver in another comment", "/* squawk-ignore ban-drop-table */\ndrop table t;", "waiver-without-reason"],
  ["a waiver behind a statement", "select 1; -- squawk-ignore ban-drop-table\ndrop table t;", "waiver-without-reason"],
  ["the text is not SQL", "alter tabel t;", "syntax-error"],
])("is found: %s", (_, sql, rule) => {
  expect(rulesOf(sql)).toContain(rule);
});

test.each([
  ["a new table with an index", "create table n (a bigint not null); create index n_a on n (a);"],
  ["a column that may be empty", "alter table transfers add column note text;"],
  ["a column with a constant default", "alter table transfers add column note text not null default '';"],
  ["a constraint that is checked later", "alter table t add constraint c check (a > 0) not valid;"],
  ["an index built beside the servers", "drop index concurrently if exists i;\ncreate index concurrently i on t (a);"],
  [
    "what a function does when it is called",
    "create function f() returns void language sql as $$ update t set a = 1 $$;",
  ],
  ["some rows are written", "update loans set status = 'late' where id in (select id from few);"],
  ["a reason is given", "-- safe because nobody has read it since 0.3\n-- squawk-ignore ban-drop-table\ndrop table t;"],
  ["a reason is given to us", "-- safe because only migrations called it\ndrop function f(uuid);"],
])("is not found: %s", (_, sql) => {
  expect(lintMigration(sql)).toEqual([]);
});

test("the place is named", () => {
  expect(lintMigration("select 1;\n\n-- why\ndrop table t;")).toMatchObject([{ line: 4, rule: "ban-drop-table" }]);
  expect(lintMigration("select 1;\n-- why\ndrop function f();")).toMatchObject([
    { line: 3, rule: "ban-drop-function" },
  ]);
});

test("what was released is left alone", () => {
  expect(isReleased(`00${newestReleased}-subject.sql`)).toBe(true);
  expect(isReleased(`00${newestReleased + 1}-subject.sql`)).toBe(false);
});
