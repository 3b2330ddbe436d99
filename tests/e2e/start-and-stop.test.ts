import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { serverBundles } from "../../tools/server-bundle.mjs";
import { askPostgres } from "./embedded-postgres.ts";
import {
  childOf,
  connectTo,
  makeHome,
  processesUsing,
  readDevFile,
  type ServerProcess,
  startServer,
  stopServer,
} from "./server-process.ts";

// Databases are made and servers started, on machines that may be busy with other tests.

async function createMerchant(server: ServerProcess, operatorToken: string, name: string): Promise<number> {
  const response = await fetch(`${server.baseUrl}/operator/merchants`, {
    method: "POST",
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name, email: "shop@example.com" }),
  });
  return response.status;
}

async function merchantNames(server: ServerProcess, operatorToken: string): Promise<string[]> {
  const response = await fetch(`${server.baseUrl}/operator/merchants?limit=100`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  const body = (await response.json()) as { data: { name: string }[] };
  return body.data.map((merchant) => merchant.name).sort();
}

describe("npm start", () => {
  const home = makeHome();

  it("makes a database, says where it is, and leaves no process behind on Ctrl-C", async () => {
    const port = await findFreePort();
    const server = startServer({ JARA_HOME: home, PORT: String(port) });
    await server.ready;
    // From its sources it would run as well, only slower, and nobody would be told.
    expect(readFileSync(`/proc/${childOf(server.child.pid)}/cmdline`, "utf8")).toContain(serverBundles);
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
    const dev = readDevFile(home);
    expect(dev).toEqual({
      baseUrl: `http://localhost:${port}`,
      secretKey: expect.stringMatching(/^sk_test_[0-9A-Za-z]{36}$/),
      operatorToken: expect.stringMatching(/^op_[0-9A-Za-z]{40}$/),
      docsUrl: `http://localhost:${port}/docs`,
      shopUrl: `http://localhost:${port}/shop`,
      signInLink: expect.stringMatching(new RegExp(`^http://localhost:${port}/console/sign-in\\?token=[\\w-]{43}$`)),
      ownerEmail: "demo@example.com",
    });
    expect(statSync(join(home, "dev.json")).mode & 0o777).toBe(0o600);
    const shown = [dev.baseUrl, dev.secretKey, dev.docsUrl, dev.shopUrl, dev.signInLink, home];
    for (const word of shown) expect(server.output()).toContain(word);
    expect(await merchantNames(server, dev.operatorToken)).toEqual(["Demo merchant"]);
    await stopServer(server);
    expect(processesUsing(home)).toEqual([]);
  });

  it("carries on after kill -9 with the same key and everything that was acknowledged", async () => {
    const environment = { JARA_HOME: home, PORT: String(await findFreePort()) };
    const victim = startServer(environment);
    await victim.ready;
    const before = readDevFile(home);
    expect(await createMerchant(victim, before.operatorToken, "Ade Stores")).toBe(201);
    const order = { accountNumber: "0690000032", bankCode: "044", amount: "2500.50", reference: "before-the-kill" };
    const { id } = await connectTo(victim, home).transfers.create(order);
    process.kill(childOf(victim.child.pid), "SIGKILL");
    await victim.exit;
    expect(processesUsing(home).length, "the orphaned PostgreSQL").toBeGreaterThan(0);
    // As if the lease of the dead one had run out already.
    await askPostgres(home, "update transfers set claim_at = clock_timestamp() where claim_at is not null");
    const heir = startServer(environment);
    await heir.ready;
    const after = readDevFile(home);
    // A link works once, so that every start makes a new one.
    expect(after.signInLink).not.toBe(before.signInLink);
    expect({ ...after, signInLink: before.signInLink }).toEqual(before);
    expect(await merchantNames(heir, before.operatorToken)).toEqual(["Ade Stores", "Demo merchant"]);
    const jara = connectTo(heir, home);
    expect(await jara.transfers.waitUntilFinal(id)).toMatchObject({ status: "completed", totalDebit: 2511.25 });
    expect(await jara.transfers.create(order)).toMatchObject({ id });
    expect(await jara.wallets.getBalance()).toMatchObject({ available: 1_000_000 - 2511.25, held: 0 });
    await stopServer(heir);
    expect(processesUsing(home)).toEqual([]);
  });

  it("names a taken port, ends with 1 and stops its PostgreSQL", async () => {
    const other = createServer();
    const port = await findFreePort();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    const server = startServer({ JARA_HOME: home, PORT: String(port) });
    expect((await server.exit).code).toBe(1);
    expect(server.output()).toContain(`Port ${port} is taken, perhaps by a Jara that runs already.`);
    expect(server.output()).not.toContain("    at ");
    expect(processesUsing(home)).toEqual([]);
    other.close();
  });

  it("names every bad setting before it touches anything", async () => {
    const untouched = join(home, "untouched");
    const server = startServer({ JARA_HOME: untouched, PORT: "many", LOG_LEVEL: "loud" });
    expect((await server.exit).code).toBe(1);
    expect(server.output()).toMatch(/PORT is "many"; it should be .*\n.*LOG_LEVEL is "loud"; it should be /);
    expect(() => statSync(untouched)).toThrow(/ENOENT/);
  });
});

it("two servers on one home share PostgreSQL, and the first to stop does not take it from the other", async () => {
  const home = makeHome();
  const ports = [await findFreePort(), await findFreePort()];
  const servers = ports.map((port) => startServer({ JARA_HOME: home, PORT: String(port) }));
  await Promise.all(servers.map((server) => server.ready));
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error("two servers were started");
  await stopServer(first);
  expect((await fetch(`${second.baseUrl}/readyz`)).status).toBe(200);
  expect(await merchantNames(second, readDevFile(home).operatorToken)).toEqual(["Demo merchant"]);
  expect(await connectTo(second, home).wallets.getBalance()).toMatchObject({ available: 1_000_000 });
  await stopServer(second);
  expect(processesUsing(home)).toEqual([]);
});
