/** A client that is generated from the document has to compile, and its types have to have teeth. */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, describe, expect, test } from "vitest";
import { documents, root } from "./document.ts";

const run = promisify(execFile);
const timeout = 240_000;
const folder = join(root, "node_modules", ".cache", "jara-clients", String(process.pid));

afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "preserve",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ["**/*.ts"],
};

/** Compiles `usage` together with what was generated into the folder, and returns what the compiler says. */
async function compile(place: string, usage: string): Promise<string> {
  await writeFile(join(place, "usage.ts"), usage);
  await writeFile(join(place, "tsconfig.json"), JSON.stringify(settings));
  const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
  return run(process.execPath, [compiler, "-p", place])
    .then(({ stdout }) => stdout)
    .catch((failed: { stdout: string }) => failed.stdout);
}

async function emptyFolder(...steps: string[]): Promise<string> {
  const place = join(folder, ...steps);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  return place;
}

const transfer = `{ accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN", reference: "a" }`;

const usages = {
  "docs/openapi.json": {
    types: `
      import type { components, operations } from "./types.ts";
      export const order: components["schemas"]["NewTransfer"] = ${transfer};
      export const amountOf = (transfer: components["schemas"]["Transfer"]): number => transfer.amount;
      export type Reply = operations["createTransfer"]["responses"][201]["content"]["application/json"]["data"]["id"];
      // @ts-expect-error an amount is a number
      export const wrong: components["schemas"]["NewTransfer"] = { ...order, amount: "100" };`,
    sdk: `
      import { createTransfer, type Transfer } from "./client/index.ts";
      export const pay = async (): Promise<Transfer | undefined> =>
        (await createTransfer({ body: ${transfer} })).data?.data;
      export const codeOf = async (): Promise<string | undefined> =>
        (await createTransfer({ body: ${transfer} })).error?.code;
      // @ts-expect-error an amount is a number
      export const wrong = () => createTransfer({ body: { ...${transfer}, amount: "100" } });`,
  },
  "docs/openapi.operator.json": {
    types: `
      import type { components } from "./types.ts";
      export const nameOf = (merchant: components["schemas"]["Merchant"]): string => merchant.name;`,
    sdk: `
      import { createMerchant } from "./client/index.ts";
      export const open = () => createMerchant({ body: { name: "Mama Put", email: "ada@example.com" } });`,
  },
} as const satisfies Record<(typeof documents)[number], unknown>;

describe.each(documents)("%s", (path) => {
  test("makes types with openapi-typescript that compile", { timeout }, async () => {
    const place = await emptyFolder("types", path);
    const types = astToString(await openapiTS(pathToFileURL(join(root, path))));
    await writeFile(join(place, "types.ts"), types);
    expect(await compile(place, usages[path].types)).toBe("");
  });

  test("makes a client with Hey API that compiles", { timeout }, async () => {
    const place = await emptyFolder("sdk", path);
    await createClient({
      input: join(root, path),
      output: { path: join(place, "client") },
      logs: { level: "silent" },
      plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
    });
    expect(await compile(place, usages[path].sdk)).toBe("");
  });
});
