/** A server of two cells starts while one of them is away: it serves the other, says so, and picks it up when it is back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/database.ts";
import { createMerchant } from "../testing/factories.ts";
import { askAt } from "../testing/paying-lanes.ts";
import { createCutLine } from "../testing/platform/cut-line.ts";
import { eventually, silentLog } from "../testing/work.ts";
import { makeSecretKey } from "./auth/secret-key.ts";
import { moveEnvironment } from "./cells/move-environment.ts";
import { readConfig } from "./config.ts";
import { withAllCells } from "./open-cells.ts";
import { findFreePort } from "./platform/embedded-postgres/free-port.ts";
import { startServer } from "./start-server.ts";

const [home, other] = [await createTestDatabase(), await createTestDatabase()];
const line = await createCutLine(other.ownerUrl);
const folder = mkdtempSync(join(tmpdir(), "jara-absent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operatorToken = "op_for-tests-only-0123456789";
const port = await findFreePort();
const config = readConfig({
  PORT: String(port),
  JARA_HOME: folder,
  DATABASE_URL: home.appUrl,
  DATABASE_OWNER_URL: home.ownerUrl,
  JARA_CELLS: `abuja=${line.url}`,
  JARA_RATE_LIMIT: "0",
  JARA_DEMO: "off",
  JARA_POOL_SIZE: "4",
  JARA_OPERATOR_TOKEN: operatorToken,
  LOG_LEVEL: "silent",
});
const start = async () => {
  const server = await startServer(config, silentLog);
  afterAll(() => server.stop());
  return server;
};

const away = await createMerchant(home.db, "Mama Put Foods");
const here = await createMerchant(home.db, "Okada Express");
/** Another each time: what is said of a key is remembered for a moment. */
const unknownKey = () => makeSecretKey("SANDBOX");
const payout = { accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN" };

const ask = (key: string, method: string, path: string, body?: unknown) => askAt(port, key, method, path, body);
const fund = (key: string) => ask(key, "POST", "/sandbox/wallets/fund", { amount: 1_000 });
const ready = async () => {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
  return [reply.status, await reply.json()] as const;
};
const isUp = async () =>
  /^jara_cell_up\{cell="abuja"\} (.)$/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1];

async function expectPayout(key: string, reference: string): Promise<void> {
  const sent = await ask(key, "POST", "/transfers", { ...payout, reference });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  await eventually(
    "the payout is completed",
    async () => (await ask(key, "GET", `/transfers/${sent.body.data.id}`)).body.data.status === "completed",
  );
}

/** What everybody sees while the cell is away, whether since the start or since a moment. */
async function expectDegraded(reference: string): Promise<void> {
  await eventually("the server says so", async () => (await ready())[1].status === "degraded");
  const [status, { checks }] = await ready();
  expect([status, checks.database, checks["cell abuja"]]).toEqual([200, "ok", "failing"]);
  expect(await isUp()).toBe("0");
  await expectPayout(here.secretKey, reference);
  for (const key of [away.secretKey, unknownKey()]) {
    const refused = await ask(key, "GET", "/wallets/balance");
    expect([refused.status, refused.body.code, refused.retryAfter === null]).toEqual([503, "unavailable", false]);
  }
  expect((await ask(operatorToken, "GET", `/operator/environments/${here.environment.id}`)).status).toBe(200);
  expect((await ask(operatorToken, "GET", "/operator/queues")).status).toBe(503);
  const unknown = await ask(operatorToken, "GET", "/operator/transfers/01890a5d-ac96-774b-bcce-b302099a8057");
  expect([unknown.status, unknown.body.code]).toEqual([503, "unavailable"]);
}

async function expectWhole(reference: string): Promise<void> {
  await eventually("the cell is back", async () => (await ready())[1].status === "ready");
  expect(await isUp()).toBe("1");
  expect((await fund(away.secretKey)).status).toBe(201);
  for (const key of [away.secretKey, here.secretKey]) await expectPayout(key, `${reference}-${key.slice(-4)}`);
  expect((await ask(unknownKey(), "GET", "/wallets/balance")).status).toBe(401);
  expect((await ask(operatorToken, "GET", "/operator/queues")).status).toBe(200);
}

test("a cell that is away at the start, or is lost later, is felt by its own environments only", async () => {
  const first = await startServer(config, silentLog);
  expect((await fund(here.secretKey)).status).toBe(201);
  await moveEnvironment({
    cells: new Map([
      ["home", home.ownerUrl],
      ["abuja", other.ownerUrl],
    ]),
    environmentId: away.environment.id,
    to: "abuja",
    verify: async () => [],
  });
  await first.stop();

  await line.cut();
  await start();
  await expectDegraded("away-at-the-start");
  await expect(withAllCells(config, async () => undefined)).rejects.toThrow("cannot be used");
  await line.mend();
  await expectWhole("joined");

  await line.cut();
  await expectDegraded("lost-later");
  await line.mend();
  await expectWhole("back");
}, 120_000);

test("a cell that refuses the server's login is a wrong setting: the server does not start", async () => {
  const wrong = new URL(other.ownerUrl);
  wrong.username = "nobody-of-that-name";
  const cells = new Map([["abuja", wrong.toString()]]);
  await expect(startServer({ ...config, port: await findFreePort(), cells }, silentLog)).rejects.toThrow(
    "cannot be used",
  );
});
