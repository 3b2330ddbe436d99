import { describe, expect, test } from "vitest";
import { applyOwnRules, buildsIndexesBeside } from "./own-rules.ts";
import { readStatements } from "./statements.ts";

const textsOf = (sql: string): string[] => readStatements(sql).map(({ text }) => text);

describe("statements", () => {
  test.each([
    ["are parted by semicolons", "select 1; select 2;", ["select 1", "select 2"]],
    ["need none at the end", "select 1;\nselect 2", ["select 1", "select 2"]],
    ["are in lower case with single blanks", "SELECT  1\n  FROM\tt;", ["select 1 from t"]],
    ["are not parted inside a text", "insert into t values ('a;b');", ["insert into t values ( )"]],
    ["nor by a quote inside one", "select 'it''s; so'; select 2", ["select", "select 2"]],
    ["nor inside a body", "do $$ begin x; y; end $$; select 2", ["do", "select 2"]],
    ["nor inside a body with a name", "do $body$ a; $$ b; $body$; select 2", ["do", "select 2"]],
    ["nor by a comment", "select 1 -- one; two\n; select 2", ["select 1", "select 2"]],
    ["nor by a long comment", "select 1 /* a;\nb; */; select 2", ["select 1", "select 2"]],
    ["nor by a quote in a comment", "-- it's\nselect 1; -- isn't\nselect 2;", ["select 1", "select 2"]],
    ["are none where there is nothing but comments", "-- a\n/* b */\n;;\n", []],
  ])("%s", (_case, sql, texts) => {
    expect(textsOf(sql)).toEqual(texts);
  });

  test("know their line, below comments, empty lines and long texts", () => {
    const sql = "-- why\n\nselect 1;\n\n/* a\nb */ select 2; select '\n\n';\nselect 4;";
    expect(readStatements(sql).map(({ line }) => line)).toEqual([3, 6, 6, 9]);
  });
});

describe("our own rules", () => {
  const rulesOf = (sql: string): string[] => applyOwnRules(sql).map(({ rule, line }) => `${line} ${rule}`);

  test.each([
    ["drop procedure p();", "1 ban-drop-function"],
    ["drop view v;", "1 ban-drop-function"],
    ["drop materialized view v;", "1 ban-drop-function"],
    ["drop type t;", "1 ban-drop-function"],
    ["alter view v rename to w;", "1 ban-rename-function"],
    ["alter type t rename value 'a' to 'b';", "1 ban-rename-function"],
    ["delete from t;", "1 ban-whole-table-write"],
    ["vacuum full t;", "1 ban-whole-table-write"],
    ["vacuum (full, analyze) t;", "1 ban-whole-table-write"],
    ["cluster t;", "1 ban-whole-table-write"],
    ["reindex table t;", "1 ban-whole-table-write"],
  ])("%s breaks one", (sql, found) => {
    expect(rulesOf(sql)).toEqual([found]);
  });

  test.each([
    "drop trigger t on x;",
    "alter function f() set search_path = '';",
    "alter type t add value 'c';",
    "delete from t where a = 1;",
    "update t set a = 1 where b;",
    "vacuum t;",
    "comment on table t is 'update everything; drop function f()';",
    "-- drop function f();\nselect 1;",
  ])("%s breaks none", (sql) => {
    expect(rulesOf(sql)).toEqual([]);
  });

  test.each([
    ["a reason that says something", "-- safe because only migrations called it\ndrop function f();", []],
    ["a reason that says too little", "-- safe because ok\ndrop function f();", ["2 ban-drop-function"]],
    ["a comment that is no reason", "-- nobody needs it any more\ndrop function f();", ["2 ban-drop-function"]],
    [
      "a reason that stands above something else",
      "-- safe because only migrations called it\nselect 1;\ndrop function f();",
      ["3 ban-drop-function"],
    ],
  ])("are waived by %s: %j", (_case, sql, found) => {
    expect(rulesOf(sql)).toEqual(found);
  });
});

describe("an index beside running servers", () => {
  test.each([
    ["create index concurrently i on t (a);", true],
    ["CREATE UNIQUE INDEX CONCURRENTLY i ON t (a);", true],
    ["drop index concurrently if exists i;", true],
    ["create index i on t (a);", false],
    ["-- create index concurrently i on t (a);", false],
    ["select 'create index concurrently i on t';", false],
  ])("is built by %j: %s", (sql, isBuilt) => {
    expect(buildsIndexesBeside(sql)).toBe(isBuilt);
  });

  const drop = (name: string) => `drop index concurrently if exists ${name};`;
  const create = (name: string) => `create index concurrently ${name} on t (a);`;

  test.each([
    ["each dropped right before it is built", [drop("i"), create("i"), drop("j"), create("j")], 0],
    ["a unique one too", [drop("i"), "create unique index concurrently i on t (a);"], 0],
    ["the wrong one dropped", [drop("j"), create("i")], 1],
    ["dropped, but not right before", [drop("i"), drop("j"), create("i")], 1],
    ["a drop that fails where there is none", ["drop index concurrently i;", drop("j"), create("j")], 1],
    ["other work in the same file", [drop("i"), create("i"), "alter table t add column b text;"], 1],
  ])("is judged: %s", (_case, statements, findings) => {
    const found = applyOwnRules(statements.join("\n")).filter(({ rule }) => rule === "index-of-its-own");
    expect(found).toHaveLength(findings);
  });
});
