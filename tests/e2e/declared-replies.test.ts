/** Replies of servers in processes of their own are held against the OpenAPI document too. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { sendRaw } from "../../server/testing/platform/raw-http.ts";
import { refuseUndeclared } from "./declared-replies.ts";
import { makeHome, readDevFile, repliesOf, startServer, stopServer } from "./server-process.ts";

test("what a server sent is written down, to bad HTTP as well, and an undeclared reply is refused", async () => {
  const [database, home, port] = [await createTestDatabase(1), makeHome(), await findFreePort()];
  const server = startServer({
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    JARA_HOME: home,
    PORT: String(port),
  });
  await server.ready;
  const headers = { authorization: `Bearer ${readDevFile(home).secretKey}` };
  expect((await fetch(`${server.baseUrl}/wallets/balance`, { headers })).status).toBe(200);
  expect((await sendRaw(port, "not HTTP\r\n\r\n")).status).toBe(400);
  await stopServer(server);
  const file = repliesOf(home);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const sent = lines.map((line) => JSON.parse(line));
  expect(sent.map(({ method, url, status }) => `${method} ${url} ${status}`)).toEqual([
    "GET /wallets/balance 200",
    "GET / 400",
  ]);
  for (const reply of sent) {
    const odd = { ...reply, headers: { ...reply.headers, "jara-mood": "good" } };
    appendFileSync(file, `${JSON.stringify(odd)}\n`);
    await expect(refuseUndeclared(file)).rejects.toThrow(`returned ${reply.status} with the header jara-mood`);
    expect(existsSync(file)).toBe(false);
  }
});
