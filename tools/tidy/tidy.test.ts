import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree, type TreeFile, treeFile } from "./file.ts";
import { findUntidy } from "./find-untidy.ts";

test("the whole tree is read; whether it is tidy, `npm run check:tidy` says", () => {
  const paths = readTree(join(import.meta.dirname, "..", "..")).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(50);
  expect(paths).toContain("tools/tidy/tidy.test.ts");
});

const domainFile = "server/src/transfers/payouts/transfer.ts";
const edgeFile = "server/src/transfers/payouts/payout-routes.ts";
const lines = (count: number) => "const a = 1;\n".repeat(count);

/** One file, in a folder whose README names it. */
function folderOf(path: string, text: string): TreeFile[] {
  const [, folder, name] = /^(server\/src\/[^/]+)\/(.+)$/.exec(path) ?? [];
  const file = treeFile(path, text);
  return folder === undefined ? [file] : [file, treeFile(`${folder}/README.md`, `| \`${name}\` | what |`)];
}

const longFunction = `export function f() {\n${lines(59)}}\n`;

describe("a finding is reported for", () => {
  test.each([
    ["a long line of PHP", "examples/php/a.php", `$a = ${"$b + ".repeat(30)}$c;\n`, "characters"],
    ["a line of 121 characters", domainFile, `const a = ${"b + ".repeat(28)};\n`, "characters"],
    ["a function of 61 lines", domainFile, longFunction, "function of 61 lines"],
    ["a method of 61 lines", domainFile, `const o = { f() {\n${lines(59)}} };`, "function of 61 lines"],
    ["a test of 61 lines", "server/src/a.test.ts", `test("a", () => {\n${lines(59)}});`, "function of 61 lines"],
    ["a name in camel case", "server/src/money/koboMath.ts", "", "not kebab-case"],
    ["a folder of leftovers", "server/testing/utils/text.ts", "", "says nothing"],
    ["a file of leftovers", "server/src/money/helpers.ts", "", "says nothing"],
    ["any", domainFile, "const a: any = 1;", "the type any"],
    ["any inside a generic", domainFile, "const a: Map<string, any[]> = b;", "the type any"],
    ["the wall clock as a date", domainFile, "const a = new Date();", "wall clock"],
    ["the wall clock as a number", domainFile, "const a = Date.now();", "wall clock"],
    ["the wall clock of Temporal", domainFile, "const a = Temporal.Now.instant();", "wall clock"],
    ["parseFloat", domainFile, 'const a = parseFloat("1");', "whole kobo"],
    ["parseFloat of Number", domainFile, 'const a = Number.parseFloat("1");', "whole kobo"],
    ["toFixed", domainFile, "const a = (1.5).toFixed(2);", "whole kobo"],
    ["process.env in a domain", domainFile, "const a = process.env.PORT;", "process.env"],
    ["a signal handler in a domain", domainFile, 'process.on("SIGTERM", f);', "process signals"],
    ["a template of SQL", edgeFile, "const a = sql<Row>`select 1`.execute(tx);", "never in an edge"],
    ["a built select", edgeFile, 'const a = tx.selectFrom("transfers").execute();', "never in an edge"],
    ["a built update", "server/src/bills/a.job.ts", 'await db.updateTable("bills");', "never in an edge"],
    ["a spread object literal", domainFile, "const a = { ...{ b, c }, d };", "name its members in place"],
    ["a spread array literal", domainFile, "const a = [...([1, 2] as const), 3];", "name its members in place"],
    ["a spread literal of attributes", "web/shop/a.tsx", "const a = <B {...{ c, d }} />;", "name its members in place"],
    ["a spread literal of arguments", domainFile, "f(...[1, 2]);", "name its members in place"],
    ["a class that is no error", domainFile, "class A {}", "classes"],
    ["a class behind the SDK's front door", "sdk/src/client.ts", "class A {}", "classes"],
    ["a lone test", "server/src/a.test.ts", 'test.only("a", f);', "hides the others"],
    ["a skipped group", "server/src/a.test.ts", 'describe.skip("a", f);', "hides the others"],
    ["work put off", domainFile, `// ${"TO"}${"DO"}: later`, "puts work off"],
    ["work put off in a document", "docs/guides/a.md", `${"FIX"}${"ME"}`, "puts work off"],
    ["a silent generated file", "server/src/platform/database/types.gen.ts", "export {};", "generated"],
    ["a riddle in a guide", "docs/guides/a.md", "Your endpoint hears\nof it.", "is not plain English"],
    ["a riddle in the changelog", "CHANGELOG.md", "The environment has moved house.", "is not plain English"],
    [
      "a riddle on a page",
      "web/console/a.tsx",
      "const a = <p>Your endpoints took everything.</p>;",
      "All webhooks delivered",
    ],
    ["a riddle as a title", "web/console/a.tsx", 'const a = { title: "How it goes" };', 'write "Overview"'],
    ["a gap between migrations", "server/migrations/0002-a.sql", "select 1;", "expected 0001-"],
    ["a migration without a subject", "server/migrations/0001.sql", "select 1;", "expected 0001-"],
  ])("%s", (_name, path, text, finding) => {
    expect(findUntidy(folderOf(path, text))).toEqual([expect.stringContaining(finding)]);
  });
});

describe("nothing is reported for", () => {
  test.each([
    ["a function of 60 lines", domainFile, `export function f() {\n${lines(58)}}\n`],
    ["a file of 1,000 lines", domainFile, lines(1000)],
    ["a long group of tests", "server/src/a.test.ts", `describe("a", () => {\n${lines(100)}});`],
    ["a long sentence", domainFile, `const a = {\n  message: "${"word ".repeat(30)}",\n};`],
    ["a given date", domainFile, "const a = new Date(clock.now());"],
    ["what measures how long it waits", "server/src/platform/time/clock-control.ts", "const a = Date.now();"],
    ["the word any in prose", domainFile, "// This holds for any amount.\nconst any = 1;"],
    ["a spread that depends", domainFile, "const a = { ...(b === undefined ? {} : { b }), ...c };"],
    ["a spread of what a literal is made into", domainFile, "const a = [...[1, 2].map(f), ...[...b].sort()];"],
    ["SQL in a store", "server/src/transfers/payouts/transfer-store.ts", "const a = sql`select 1`;"],
    ["SQL in a check of verify", "server/src/lending/verify-lending.ts", "const a = sql`select 1`;"],
    ["SQL in the ledger", "server/src/ledger/post.ts", 'tx.insertInto("entries");'],
    ["SQL in a test", "server/src/transfers/payouts/transfer.test.ts", 'db.deleteFrom("transfers");'],
    ["an error class", domainFile, "class TransferError extends Error {}"],
    ["config.ts", "server/src/start/config.ts", "const a = process.env;"],
    ["an example that reads its settings", "examples/node/app.mjs", "const { PORT } = process.env;"],
    ["a part of an address that varies", "examples/next/app/api/orders/[id]/route.ts", ""],
    ["a role in a file name", "server/src/transfers/send-transfer.job.ts", ""],
    ["the root documents", "CONTRIBUTING.md", ""],
    ["an old decision's words", "docs/adr/0001-a.md", "Nobody is late."],
    ["a comment of a page", "web/console/a.tsx", "/** Nobody is late. */\nconst a = 1;"],
    ["a test of a page", "web/console/a.test.tsx", 'const a = "Nobody is late.";'],
  ])("%s", (_name, path, text) => {
    expect(findUntidy(folderOf(path, text))).toEqual([]);
  });
});

const readme = "server/src/checkout/README.md";
const cardsReadme = "server/src/checkout/cards/README.md";
const charge = "server/src/checkout/cards/charge.ts";
const deep: readonly string[] = [charge, "server/src/checkout/slice.ts", "docs/guides/cards.md", "ARCHITECTURE.md"];

describe("documents and files", () => {
  test.each([
    ["a folder without a README", {}, ["no README.md", "no README.md"]],
    ["a README above that names it", { [readme]: "`cards/charge.ts`, `slice.ts`" }, []],
    ["a README above that only names the file", { [readme]: "`charge.ts`, `slice.ts`" }, ["`cards/", "no `charge.ts`"]],
    ["the nearest README", { [readme]: "`slice.ts`", [cardsReadme]: "`charge.ts`" }, []],
    [
      "a nearest README that is silent",
      { [readme]: "`cards/charge.ts` `slice.ts`", [cardsReadme]: "" },
      ["`charge.ts`"],
    ],
  ])("%s", (_name, readmes, findings) => {
    const files = [...deep.map((path) => treeFile(path, "")), ...trees(readmes)];
    expect(findUntidy(files)).toEqual(findings.map((finding) => expect.stringContaining(finding)));
  });

  test.each([
    ["STYLE.md", "`charge.ts`, `checkout/cards/charge.ts`, `server/src/checkout/cards/charge.ts`"],
    ["STYLE.md", "[cards](docs/guides/cards.md#fees) and [all](docs/guides) and [out](https://example.com/a.ts)"],
    ["STYLE.md", "`NNNN-subject.sql`, `…-store.ts`, `*-routes.ts`, `/openapi.json`, `npm test -- a.ts`"],
    ["docs/guides/cards.md", "[top](../../ARCHITECTURE.md), [here](#cards), [me](cards.md)"],
  ])("%s may say %s", (path, text) => {
    expect(findUntidy(besideDeep(path, text))).toEqual([]);
  });

  test.each([
    ["STYLE.md", "`gone.ts`", "`gone.ts`"],
    ["STYLE.md", "git clone --branch v0.2.0", "the tag v0.2.0"],
    ["STYLE.md", "`cards/gone.ts`", "`cards/gone.ts`"],
    ["STYLE.md", "[cards](docs/cards.md)", "`docs/cards.md`"],
    ["docs/guides/cards.md", "[top](ARCHITECTURE.md)", "`ARCHITECTURE.md`"],
  ])("%s may not say %s", (path, text, finding) => {
    expect(findUntidy(besideDeep(path, text))).toEqual([expect.stringContaining(finding)]);
  });
});

function besideDeep(path: string, text: string): TreeFile[] {
  const others = deep.filter((other) => other !== path).map((other) => treeFile(other, ""));
  return [...others, ...trees({ [readme]: "`cards/charge.ts`, `slice.ts`", [path]: text })];
}

function trees(texts: Readonly<Record<string, string>>): TreeFile[] {
  return Object.entries(texts).map(([path, text]) => treeFile(path, text));
}
