import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findViolations } from "./find-violations.ts";
import { mayImport, mayImportInside } from "./table.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "jara-boundaries-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Lays out a small tree: every file exports something, and imports what it is told to. */
async function layOut(files: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const [path, imports] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    const lines = imports.map((target, index) => `import { value as v${index} } from "${target}";\nv${index};`);
    await writeFile(join(root, path), `${lines.join("\n")}\nexport const value = 1;\n`);
  }
}

async function violationsOf(files: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
  await layOut(files);
  const folders = [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""))];
  return (await findViolations(root, folders)).violations;
}

const ruleOf = (violation: string): string => /^ +([a-z-]+):/m.exec(violation)?.[1] ?? violation;

async function rulesBrokenBy(files: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  return (await violationsOf(files)).map(ruleOf).sort();
}

const forbidden: [string, string, string, string][] = [
  ["money sees nothing", "server/src/money/kobo.ts", "server/src/platform/database/ids.ts", "money-imports"],
  [
    "platform knows no domain",
    "server/src/platform/http/wire.ts",
    "server/src/merchants/merchant.ts",
    "platform-imports",
  ],
  [
    "webhooks know no product",
    "server/src/webhooks/send.ts",
    "server/src/transfers/payouts/transfer.ts",
    "webhooks-imports",
  ],
  ["nothing imports a root", "server/src/merchants/merchant.ts", "server/src/start/app.ts", "merchants-imports"],
  [
    "platform does not read the configuration",
    "server/src/platform/work/jobs.ts",
    "server/src/start/config.ts",
    "platform-imports",
  ],
  ["a store is private", "server/src/wallets/wallet.ts", "server/src/ledger/account-store.ts", "ledger-is-private"],
  ["schemas are private", "server/src/auth/guard.ts", "server/src/merchants/schemas.ts", "merchants-is-private"],
  ["a job is private", "server/src/loans/loan.ts", "server/src/transfers/send-transfer.job.ts", "transfers-is-private"],
  ["a slice is for the root", "server/src/loans/loan.ts", "server/src/transfers/slice.ts", "transfers-is-private"],
  ["a root takes no routes", "server/src/start/app.ts", "server/src/merchants/routes.ts", "roots-collect"],
  ["a root takes no store", "server/src/start/app.ts", "server/src/merchants/merchant-store.ts", "roots-collect"],
  ["testing code stays in tests", "server/src/main.ts", "server/testing/app.ts", "testing-stays-in-tests"],
  ["the SDK does not reach into the server", "sdk/client.ts", "server/src/money/kobo.ts", "server-is-not-a-library"],
  ["the SDK stands alone", "sdk/src/client.ts", "tools/tidy/rules.ts", "sdk-stands-alone"],
  ["also without packages", "sdk/src/client.ts", "sdk/testing/server.ts", "sdk-stands-alone"],
  ["an example does not know the server", "examples/node/a.mjs", "server/src/money/kobo.ts", "examples-stand-alone"],
  ["an example does not reach into another", "examples/next/lib/a.ts", "examples/node/a.ts", "examples-stand-alone"],
  ["an example takes the front door of the SDK", "examples/next/a.ts", "sdk/src/jara.ts", "examples-stand-alone"],
  ["a page does not reach into the server", "web/shop/main.tsx", "server/src/money/kobo.ts", "server-is-not-a-library"],
  ["a page takes no code of the SDK", "web/console/main.tsx", "sdk/src/index.ts", "pages-take-types-of-the-sdk"],
  ["a page does not reach into another", "web/shop/main.tsx", "web/checkout/api.ts", "pages-stand-alone"],
  [
    "a page is built without what tests draw with",
    "web/shop/main.tsx",
    "web/testing/draw.tsx",
    "pages-without-test-tools",
  ],
  ["what pages share knows no page", "web/shared/api.ts", "web/checkout/api.ts", "pages-stand-alone"],
  ["the server runs without its tools", "server/src/main.ts", "tools/tidy/rules.ts", "no-tools-at-runtime"],
  [
    "loans do not know what follows them",
    "server/src/checkout/loans/loan.ts",
    "server/src/checkout/cards/card.ts",
    "checkout-loans-imports",
  ],
  [
    "a folder of the checkout does not reach up to its root",
    "server/src/checkout/cards/card.ts",
    "server/src/checkout/follow-loans.ts",
    "checkout-cards-imports",
  ],
  [
    "a folder's routes are its own",
    "server/src/checkout/repayments/repay.ts",
    "server/src/checkout/loans/routes.ts",
    "checkout-folders-are-private",
  ],
  [
    "also from the root of the domain",
    "server/src/sandbox/bank/bank.ts",
    "server/src/sandbox/clock-routes.ts",
    "sandbox-folders-are-private",
  ],
  [
    "one simulated rail does not know another",
    "server/src/sandbox/bank/bank.ts",
    "server/src/sandbox/card/card.ts",
    "sandbox-bank-imports",
  ],
  [
    "what simulated rails share knows none of them",
    "server/src/sandbox/in-books.ts",
    "server/src/sandbox/card/card.ts",
    "sandbox-sandbox-imports",
  ],
  [
    "a folder of a folder has a table too",
    "server/src/platform/http/request/json-body.ts",
    "server/src/platform/http/reply/envelope.ts",
    "platform-http-request-imports",
  ],
  [
    "a folder of the checkout without a row",
    "server/src/checkout/gifts/gift.test.ts",
    "server/src/checkout/gifts/gift.ts",
    "checkout-known-folders",
  ],
  [
    "a store in a folder of a domain is private too",
    "server/src/rails/order.ts",
    "server/src/platform/records/claim-store.ts",
    "platform-is-private",
  ],
  ["a folder without a row", "server/src/start/app.ts", "server/src/gifts/gift.ts", "known-folders"],
];

const allowed: [string, string, string][] = [
  ["a domain uses its own store", "server/src/merchants/create-merchant.ts", "server/src/merchants/merchant-store.ts"],
  ["auth asks merchants", "server/src/auth/guard.ts", "server/src/merchants/find-key.ts"],
  [
    "a folder of the checkout uses a store below it",
    "server/src/checkout/cards/card.ts",
    "server/src/checkout/loans/checkout-loan-store.ts",
  ],
  ["the checkout collects routes", "server/src/checkout/routes.ts", "server/src/checkout/loans/routes.ts"],
  ["a simulated rail uses what all share", "server/src/sandbox/bank/bank.ts", "server/src/sandbox/in-books.ts"],
  ["a slice describes its folders", "server/src/sandbox/slice.ts", "server/src/sandbox/bank/bank-routes.ts"],
  ["slices.ts collects slices", "server/src/start/slices.ts", "server/src/merchants/slice.ts"],
  ["a test may see everything", "server/src/money/kobo.test.ts", "server/src/merchants/merchant-store.ts"],
  ["a test uses the harness", "server/src/money/kobo.test.ts", "server/testing/database.ts"],
  ["an example uses the SDK", "examples/next/lib/a.ts", "sdk/src/index.ts"],
  ["a test of a page draws it", "web/shop/order.test.tsx", "web/testing/draw.tsx"],
  ["pages use what they share", "web/checkout/main.tsx", "web/shared/button.tsx"],
  ["platform's folders see each other", "server/src/platform/http/wire.ts", "server/src/platform/problem.ts"],
];

/**
 * All of them in one tree that is walked once: a walk takes half a second, however small the tree. Together they make
 * circles of folders, which have a test of their own.
 */
test("each import that is forbidden breaks its rule, and each that is allowed breaks none", async () => {
  const files: Record<string, string[]> = {};
  for (const [, from, to] of [...forbidden, ...allowed]) {
    files[to] ??= [];
    files[from] = [...(files[from] ?? []), relative(from, to)];
  }
  const violations = (await violationsOf(files)).filter((violation) => ruleOf(violation) !== "no-folder-circles");
  const broken = ([name, from, to]: readonly string[]) => [
    name,
    ...violations.filter((violation) => violation.startsWith(`${from} → ${to}\n`)).map(ruleOf),
  ];
  expect(forbidden.map(broken)).toEqual(forbidden.map(([name, , , rule]) => [name, rule]));
  expect(allowed.map(broken)).toEqual(allowed.map(([name]) => [name]));
});

test("a cycle is found, also through types only", async () => {
  await layOut({ "server/src/money/a.ts": ["./b.ts"] });
  await writeFile(
    join(root, "server/src/money/b.ts"),
    'import type { value } from "./a.ts";\nexport type V = typeof value;\n',
  );
  const { violations } = await findViolations(root, ["server"]);
  expect(violations.filter((violation) => violation.includes("no-cycles"))).not.toHaveLength(0);
});

test("folders in a circle are found, also where no two files are", async () => {
  const rooms = {
    "server/src/platform/work/a.ts": ["../time/a.ts"],
    "server/src/platform/time/a.ts": ["../records/a.ts"],
    "server/src/platform/time/b.ts": [],
    "server/src/platform/records/a.ts": [],
    "server/src/platform/records/b.test.ts": ["../work/a.ts"],
    "server/src/platform/slice.ts": ["./work/a.ts", "./problem.ts"],
    "server/src/platform/problem.ts": [],
    "server/src/platform/records/c.ts": ["../problem.ts"],
  };
  expect(await rulesBrokenBy(rooms)).toEqual([]);
  const circle = { ...rooms, "server/src/platform/records/a.ts": ["../time/b.ts"] };
  expect(await rulesBrokenBy(circle)).toEqual(["no-folder-circles", "no-folder-circles"]);
});

test("an import of nothing is found", async () => {
  expect(await rulesBrokenBy({ "server/src/money/a.ts": ["./gone.ts"] })).toEqual(["nothing-missing"]);
});

const tables = [["server/src", mayImport] as const, ...Object.entries(mayImportInside)];

test.each(tables)("the table of %s has no circle and names no folder that has no row", (_domain, rows) => {
  const reach = (folder: string, seen: readonly string[] = []): string[] =>
    (rows[folder] ?? []).flatMap((next) => (seen.includes(next) ? [next] : [next, ...reach(next, [...seen, next])]));
  for (const folder of Object.keys(rows)) {
    expect(reach(folder)).not.toContain(folder);
    for (const named of rows[folder] ?? []) expect(Object.keys(rows)).toContain(named);
  }
});

function relative(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length - 1)}${to}`;
}
