/** Every example in TypeScript or JavaScript is compiled strictly against the package, and run: SDK's README and guides. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { sequenceEvents } from "../../server/src/platform/records/sequencer.ts";
import { blocksOf, documents, runnable } from "../document/fenced-blocks.ts";
import { createEmptyProject, findExpress } from "./empty-project.ts";
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

const readme = runnable("sdk/README.md", "ts");
const examples = [
  ...readme,
  ...documents.filter((page) => page !== "sdk/README.md").flatMap((page) => runnable(page, "ts")),
];
const plain = documents.flatMap((page) => runnable(page, "js"));
const [quickStart = ""] = readme;
const beginning = quickStart.slice(0, quickStart.indexOf("});") + "});".length);
const isServer = (example: string) => example.includes("listen(");
const port = await findFreePort();

/** What comes after the quick start goes on with its client. */
const sources = examples.map((example) => {
  const source = example.includes("new Jara(") || isServer(example) ? example : `${beginning}\n${example}`;
  return source.replace(/\b9000\b/, String(port));
});

test("compile strictly", { timeout }, async () => {
  expect([examples.length > 11, plain.length > 0]).toEqual([true, true]);
  await project.borrow("@types/node", "undici-types", "fastify", "standardwebhooks");
  for (const [index, source] of sources.entries())
    await project.write(`example-${index}.ts`, `${source}\nexport {};\n`);
  const settings = { types: ["node"], lib: ["esnext"], skipLibCheck: true };
  expect(await project.compile("typescript-native", settings)).toBe("");
  for (const [index, source] of plain.entries()) {
    await project.write(`out/plain-${index}.js`, source.replace(/\b9000\b/, String(port)));
  }
});

const named = sources.map(
  (source, index) => [examples[index]?.trim().split("\n").at(-1) ?? "", index, source] as const,
);

test.each(named.filter(([, , source]) => !isServer(source)))("runs: … %s", { timeout }, async (_, index) => {
  await sequenceEvents(db);
  const { stderr } = await run(process.execPath, [join(project.folder, "out", `example-${index}.js`)], {
    env,
  });
  expect(stderr).toBe("");
});

const receivers = [
  ...named.filter(([, , source]) => isServer(source)).map(([name, index]) => [name, `example-${index}.js`] as const),
  ...plain.map((source, index) => [source.trim().split("\n").at(-1) ?? "", `plain-${index}.js`] as const),
];

test.each(receivers)("receives: … %s", { timeout }, (_, file) => receives(join(project.folder, "out", file)));

const express = await findExpress();
if (express === undefined) console.warn("\n!!! The README's Express example was NOT run: npm could not fetch it.\n");

test.runIf(express !== undefined)("receives with Express", { timeout }, async () => {
  const example = blocksOf("sdk/README.md").find(({ text }) => text.startsWith("import express"));
  await symlink(join(express ?? "", "express"), join(project.folder, "node_modules", "express"));
  await project.write("express.mjs", (example?.text ?? "").replace("9000", String(port)));
  await receives(join(project.folder, "express.mjs"));
});

async function receives(program: string): Promise<void> {
  const child = spawn(process.execPath, [program], { env });
  children.add(child);
  const body = JSON.stringify({ id: "e", event: "transfer.completed", data: { reference: "order-1042" } });
  await expect.poll(() => deliver(body, body)).toBe(204);
  expect(await deliver(body, `${body} `)).toBeGreaterThanOrEqual(400);
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

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
