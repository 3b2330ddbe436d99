/** Every TypeScript example of the SDK's README is compiled strictly against the package, and run. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { sequenceEvents } from "../../server/src/platform/records/sequencer.ts";
import { findFreePort } from "../e2e/server-process.ts";
import { createEmptyProject, examplesOf } from "./empty-project.ts";
import { createProduct } from "./product.ts";

const run = promisify(execFile);
const timeout = 240_000;
const project = await createEmptyProject();
const { baseUrl, merchant, jara, db } = await createProduct();
await jara.wallets.getBalance();
const secret = `whsec_${Buffer.from("a secret of 24 characters").toString("base64")}`;
const env = { JARA_SECRET_KEY: merchant.secretKey, JARA_BASE_URL: baseUrl, JARA_WEBHOOK_SECRET: secret };
const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill();
});

const examples = await examplesOf("sdk/README.md");
const [quickStart = ""] = examples;
const beginning = quickStart.slice(0, quickStart.indexOf("});") + "});".length);
const isServer = (example: string) => example.includes("listen(");
const port = await findFreePort();

/** What comes after the quick start goes on with its client. */
const sources = examples.map((example) => {
  const source = example.includes("new Jara(") || isServer(example) ? example : `${beginning}\n${example}`;
  return source.replace(/\b9000\b/, String(port));
});

test("compile strictly", { timeout }, async () => {
  expect(examples.length).toBeGreaterThan(8);
  await project.borrow("@types/node", "undici-types", "fastify");
  for (const [index, source] of sources.entries())
    await project.write(`example-${index}.ts`, `${source}\nexport {};\n`);
  const settings = { types: ["node"], lib: ["esnext"], skipLibCheck: true };
  expect(await project.compile("typescript-native", settings)).toBe("");
});

const named = sources.map(
  (source, index) => [examples[index]?.trim().split("\n").at(-1) ?? "", index, source] as const,
);

test.each(named.filter(([, , source]) => !isServer(source)))("runs: … %s", { timeout }, async (_, index) => {
  await sequenceEvents(db);
  const { stderr } = await run(process.execPath, [join(project.folder, "out", `example-${index}.js`)], {
    env,
    timeout: 60_000,
  });
  expect(stderr).toBe("");
});

test.each(named.filter(([, , source]) => isServer(source)))("receives: … %s", { timeout }, async (_, index) => {
  const child = spawn(process.execPath, [join(project.folder, "out", `example-${index}.js`)], { env });
  children.add(child);
  const body = JSON.stringify({ id: "e", event: "transfer.completed", data: { reference: "order-1042" } });
  await expect.poll(() => deliver(body, body), { timeout: 20_000 }).toBe(204);
  expect(await deliver(body, `${body} `)).toBeGreaterThanOrEqual(400);
  child.kill();
});

/** Sends a body under the signature of another, or of itself. */
async function deliver(body: string, signedBody: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = mac.update(`e.${timestamp}.${signedBody}`).digest("base64");
  const headers = { "webhook-id": "e", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
  const sent = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
  return fetch(`http://127.0.0.1:${port}/hooks`, sent).then(
    ({ status }) => status,
    () => 0,
  );
}
