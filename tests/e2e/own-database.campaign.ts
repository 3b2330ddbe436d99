import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import { NotFoundError } from "../../sdk/src/index.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { generateMasterKey } from "../../server/src/platform/secrets/crypto.ts";
import { connectTo, makeHome, startServer, stopServer } from "./server-process.ts";

function inDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

/** Returns the rows of the last statement. */
async function asAdministrator(...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: inDatabase(inject("ownerUrl"), "postgres") });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

async function makeEmptyDatabase(owner = "jara_owner"): Promise<string> {
  const name = `e2e_${randomBytes(6).toString("hex")}`;
  await asAdministrator(`create database ${name} owner ${owner}`);
  afterAll(() => asAdministrator(`drop database ${name} with (force)`));
  return name;
}

// Each server is a process that migrates a database; on a busy machine that takes a while.
describe("with DATABASE_URL", () => {
  it("two servers started at once on an empty database both come up, and no embedded server is made", async () => {
    const name = await makeEmptyDatabase();
    const database = {
      DATABASE_URL: inDatabase(inject("appUrl"), name),
      DATABASE_OWNER_URL: inDatabase(inject("ownerUrl"), name),
      JARA_MASTER_KEY: generateMasterKey(),
    };
    const homes = [makeHome(), makeHome()];
    const servers = await Promise.all(
      homes.map(async (home) => startServer({ ...database, JARA_HOME: home, PORT: String(await findFreePort()) })),
    );
    await Promise.all(servers.map((server) => server.ready));
    for (const [index, server] of servers.entries()) {
      const home = homes[index] ?? "";
      expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
      expect(existsSync(join(home, "postgres"))).toBe(false);
      const jara = connectTo(server, home);
      await expect(jara.request("GET /nowhere")).rejects.toThrow(NotFoundError);
      expect(await jara.wallets.getBalance()).toMatchObject({ available: 1_000_000, held: 0 });
    }
    await Promise.all(servers.map(stopServer));
  });

  it("one ordinary login does both: it migrates, and serves as the bound application role", async () => {
    const login = `e2e_login_${randomBytes(4).toString("hex")}`;
    await asAdministrator(
      `create role ${login} login createrole password 'secret'`,
      `grant jara_app, jara_lookup to ${login} with admin option`,
    );
    const name = await makeEmptyDatabase(login);
    const url = new URL(inDatabase(inject("ownerUrl"), name));
    url.username = login;
    url.password = "secret";
    const home = makeHome();
    const server = startServer({ DATABASE_URL: url.toString(), JARA_HOME: home, PORT: String(await findFreePort()) });
    await server.ready;
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
    expect(server.output()).not.toContain("secret@");
    const sessions = await asAdministrator(
      `select distinct usename as login from pg_stat_activity where datname = '${name}' and application_name = 'jara'`,
    );
    expect(sessions).toEqual([{ login: `jara_server_${name}` }]);
    await stopServer(server);
  });

  it("an address that refuses the login ends the start without showing the password", async () => {
    const url = new URL(inject("ownerUrl"));
    url.password = "hunter2";
    const server = startServer({ DATABASE_URL: url.toString(), JARA_HOME: makeHome(), PORT: "4999" });
    expect((await server.exit).code).toBe(1);
    expect(server.output()).toMatch(
      /The database at 127\.0\.0\.1:\d+\/jara cannot be used: password authentication failed/,
    );
    expect(server.output()).not.toContain("hunter2");
  });
});
