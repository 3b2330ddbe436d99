/** The package as it is published: small, complete, and at home in a project that has nothing else. */
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { describe, expect, test } from "vitest";
import { createEmptyProject, findNode20, findRuntimes } from "./empty-project.ts";
import { createProduct } from "./product.ts";

const run = promisify(execFile);
const timeout = 240_000;
const project = await createEmptyProject();
const runtimes = await findRuntimes();
const { baseUrl, merchant, jara } = await createProduct();
await jara.wallets.getBalance();

const program = `
import { InsufficientFundsError, Jara, type Transfer, verifyWebhook } from "@jara/sdk";

declare const process: { argv: string[] };
declare const console: { log(text: string): void };
const [, , secretKey = "", baseUrl = "", reference = "", signed = "{}"] = process.argv;
const jara = new Jara({ secretKey, baseUrl });
const account = { accountNumber: "0690000032", bankCode: "044" };
const made: Transfer = await jara.transfers.create({ ...account, amount: "2500.50", reference });
const final = await jara.transfers.waitUntilFinal(made.id);
let listed = 0;
for await (const { id } of jara.transfers.list({ reference })) listed += id === made.id ? 1 : 0;
const short = await jara.transfers
  .create({ ...account, amount: 9_000_000, reference: reference + "-big" })
  .catch((error: unknown) => (error instanceof InsufficientFundsError ? error.data.short > 0 : error));
const forged = await verifyWebhook("{}", {}, "whsec_aGVsbG8=").catch((error: { reason: string }) => error.reason);
const { body, headers, secret } = JSON.parse(signed);
const event = (await verifyWebhook(body, headers, secret)).event;
// @ts-expect-error an amount is not a date
const wrong = () => jara.transfers.create({ ...account, amount: new Date(), reference });
const { status, amount } = final;
console.log(JSON.stringify({ status, amount, listed, short, forged, event, wrong: typeof wrong }));
`;

function signWebhook() {
  const body = JSON.stringify({ id: "e", event: "transfer.completed", data: {} });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac("sha256", "a secret of 24 characters").update(`e.${timestamp}.${body}`).digest("base64");
  const headers = { "webhook-id": "e", "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` };
  return { body, headers, secret: `whsec_${Buffer.from("a secret of 24 characters").toString("base64")}` };
}

async function bundle(source: string): Promise<string> {
  await project.write("entry.js", source);
  const built = await build({
    root: project.folder,
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: true,
      target: "es2022",
      lib: { entry: join(project.folder, "entry.js"), formats: ["es"] },
    },
  });
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
  return output[0].code;
}

const kilobytes = (code: string) => gzipSync(code).length / 1_000;

describe("an empty project", () => {
  test.each(["typescript", "typescript-native"] as const)(
    "compiles strictly with %s",
    { timeout },
    async (compiler) => {
      await project.write("main.ts", program);
      expect(await project.compile(compiler)).toBe("");
    },
  );

  const engines: (readonly [string, () => Promise<string>, readonly string[]])[] = [
    ["Node 20", findNode20, []],
    ["the pinned Node", async () => process.execPath, []],
    ...runtimes.map(({ name, program, words }) => [name, async () => program, words] as const),
  ];

  test.each(engines)("runs with %s", { timeout }, async (name, find, words) => {
    const given = [merchant.secretKey, baseUrl, name.replaceAll(" ", "-"), JSON.stringify(signWebhook())];
    const script = join(project.folder, "out", "main.js");
    const { stdout } = await run(await find(), [...words, script, ...given], { cwd: project.folder });
    const expected = {
      status: "completed",
      amount: 2500.5,
      listed: 1,
      short: true,
      forged: "headers_missing",
      event: "transfer.completed",
      wrong: "function",
    };
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});

test("the package holds its code, its types and its papers, and no dependency", () => {
  const { files } = project.packed;
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "index.d.ts", "index.js", "package.json"]));
  expect(files.filter((path) => /\.test\.|testing|(?<!\.d)\.ts$/.test(path))).toEqual([]);
});

describe("in a bundle", () => {
  test("the whole client has less than 25 kB compressed", { timeout }, async () => {
    const size = kilobytes(await bundle('export * from "@jara/sdk";'));
    console.log(`@jara/sdk: ${size} kB compressed in a bundle, ${project.packed.size / 1_000} kB packed`);
    expect(size).toBeLessThan(25);
  });

  test("a program that only checks webhooks carries nothing else along", { timeout }, async () => {
    const code = await bundle('export { verifyWebhook } from "@jara/sdk";');
    expect(code).not.toMatch(/\/transfers|\/loans|idempotency-key/);
    expect(kilobytes(code)).toBeLessThan(3);
  });
});
