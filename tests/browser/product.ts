/** The whole product in a process of its own, as a merchant and a customer meet it: over HTTP only. */
import { afterAll } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { answering, createReceiver, type Receiver } from "../../server/testing/webhooks/webhook-receiver.ts";
import { untilWorkerEnds, whenOver } from "../../server/testing/when-over.ts";
import { refuseUndeclared } from "../e2e/declared-replies.ts";
import { makeHome, readDevFile, repliesOf, startServer, stopServer } from "../e2e/server-process.ts";

export type Data = Record<string, unknown>;

export interface Sandbox {
  /** Sends a request with the merchant's key and returns `data`; throws when it was refused. */
  call(method: string, path: string, body?: unknown): Promise<Data>;
}

/** A merchant whose people work at the console. */
export interface Merchant extends Sandbox {
  readonly id: string;
  /** Signs its owner in, once. */
  readonly signInLink: string;
}

export interface Product {
  readonly baseUrl: string;
  /** The merchant's own site, where customers come back to. */
  readonly merchantSite: Receiver;
  /** What a developer's and an operator's calls carry: the demo sandbox's key, and the operator's token. */
  readonly tokens: { readonly developer: string; readonly operator: string };
  /** The sandbox of the demo merchant, whose shop is at /shop. */
  readonly demo: Sandbox;
  /** A merchant that no other test has, so that its clock can be moved. */
  openSandbox(): Promise<Sandbox>;
  /** The same with an owner at the console, and money in its wallet. */
  openMerchant(): Promise<Merchant>;
  readonly home: string;
  /** Of the database, as who owns its tables. */
  readonly ownerUrl: string;
  /** Everything that the server has logged. */
  log(): string;
}

const welcomePage = `<!doctype html><html lang="en"><title>Merchant</title><h1>Back at the merchant</h1></html>`;

let shared: Promise<Product> | undefined;

/**
 * One server for all files of a worker that do not change it: each has merchants of its own. At the end of each file
 * the server's replies are checked against the OpenAPI document.
 */
export async function shareProduct(): Promise<Product> {
  shared ??= untilWorkerEnds(() => startProduct());
  const product = await shared;
  afterAll(() => refuseUndeclared(repliesOf(product.home)));
  return product;
}

/** It goes away with the test file. The database is a clone of the run's template, which saves a start of PostgreSQL. */
export async function startProduct(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  const database = await createTestDatabase(1);
  const home = makeHome();
  const port = await findFreePort();
  const server = startServer({
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    JARA_HOME: home,
    PORT: String(port),
    LOG_LEVEL: "trace",
    ...settings,
  });
  whenOver(() => stopServer(server));
  await server.ready;
  const baseUrl = `http://localhost:${port}`;
  const { secretKey, operatorToken } = readDevFile(home);
  const operator = callerOf(baseUrl, operatorToken);
  return {
    baseUrl,
    merchantSite: await createReceiver(answering(200, { "content-type": "text/html" }, welcomePage)),
    tokens: { developer: secretKey, operator: operatorToken },
    demo: { call: callerOf(baseUrl, secretKey) },
    openSandbox: async () => ({ call: callerOf(baseUrl, (await newMerchant(operator)).key) }),
    openMerchant: async () => {
      const { id, key } = await newMerchant(operator);
      const owner = { email: `owner-${id}@example.com`, name: "Ada", merchantId: id, role: "owner" };
      const { signInLink } = await operator("POST", "/operator/people", owner);
      const call = callerOf(baseUrl, key);
      await call("POST", "/sandbox/wallets/fund", { amount: 5_000_000 });
      return { id, call, signInLink: String(signInLink) };
    },
    home,
    ownerUrl: database.ownerUrl,
    log: server.output,
  };
}

/** Of a server that nobody else uses: the link is the one that it printed. */
export async function demoMerchant({ baseUrl, tokens, demo, log }: Product): Promise<Merchant> {
  const [signInLink] = /http\S+\/console\/sign-in\?token=\S+/.exec(log()) ?? [];
  if (signInLink === undefined) throw new Error("the server printed no link");
  const operator = callerOf(baseUrl, tokens.operator);
  const [first] = (await operator("GET", "/operator/merchants")) as unknown as { id: string }[];
  return { ...demo, id: String(first?.id), signInLink };
}

export function callerOf(baseUrl: string, key: string): Sandbox["call"] {
  return async (method, path, body) => {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status}: ${text}`);
    return JSON.parse(text).data;
  };
}

async function newMerchant(operator: Sandbox["call"]): Promise<{ id: string; key: string }> {
  const merchant = await operator("POST", "/operator/merchants", { name: "Ade Stores", email: "ade@example.com" });
  const [sandbox] = merchant["environments"] as { id: string }[];
  const issued = await operator("POST", `/operator/environments/${sandbox?.id}/keys`, { name: "Browser" });
  return { id: String(merchant["id"]), key: String(issued["key"]) };
}
