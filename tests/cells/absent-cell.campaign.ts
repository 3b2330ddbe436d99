/** A server of two cells starts while one of them is away: it serves the other, says so, and picks it up when it is back. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { makeSecretKey } from "../../server/src/auth/secret-key.ts";
import { moveEnvironment } from "../../server/src/cells/move-environment.ts";
import { readConfig } from "../../server/src/config.ts";
import { withAllCells } from "../../server/src/open-cells.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/free-port.ts";
import { startServer } from "../../server/src/start-server.ts";
import { killAfter } from "../../server/testing/cells/killed-mover.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";
import { askAt } from "../../server/testing/paying-lanes.ts";
import { createCutLine } from "../../server/testing/platform/cut-line.ts";
import { eventually, silentLog } from "../../server/testing/work.ts";

const [home, other] = [await createTestDatabase(), await createTestDatabase()];
const line = await createCutLine(other.ownerUrl);
const folder = mkdtempSync(join(tmpdir(), "jara-absent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operatorToken = "op_for-tests-only-0123456789";
const port = await findFreePort();
const settings = {
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
};
const config = readConfig(settings);
const cells = new Map([
  ["home", home.ownerUrl],
  ["abuja", other.ownerUrl],
]);
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
const figure = async (name: string) => {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return page
    .split("\n")
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);
};
const isUp = () => figure('jara_cell_up{cell="abuja"}');

/** As a person runs it, with the servers' variables. Not at once: the line to the cell goes through this process. */
function runProgram(name: string, ...words: string[]): Promise<{ code: number | null; said: string }> {
  const program = fileURLToPath(new URL(`../../server/src/${name}`, import.meta.url));
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...settings } });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, said })));
}

/** Lists over all cells say what the others have, and which one is missing. */
async function expectLists(missing: readonly string[] | undefined): Promise<void> {
  for (const list of ["queues", "unknowns", "decisions", "audit?limit=1"]) {
    const { status, body } = await ask(operatorToken, "GET", `/operator/${list}`);
    expect([list, status, body.missingCells]).toEqual([list, 200, missing]);
    expect(Array.isArray(body.data), list).toBe(true);
  }
}

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
  await expectLists(["abuja"]);
  expect((await fetch(`http://127.0.0.1:${port}/status`)).status).toBe(200);
  expect(await figure('jara_queue_depth{kind="transfers",environment="LIVE"}')).toBe("0");
  const unknown = await ask(operatorToken, "GET", "/operator/transfers/01890a5d-ac96-774b-bcce-b302099a8057");
  expect([unknown.status, unknown.body.code]).toEqual([503, "unavailable"]);
}

async function expectWhole(reference: string): Promise<void> {
  await eventually("the cell is back", async () => (await ready())[1].status === "ready");
  expect(await isUp()).toBe("1");
  expect((await fund(away.secretKey)).status).toBe(201);
  for (const key of [away.secretKey, here.secretKey]) await expectPayout(key, `${reference}-${key.slice(-4)}`);
  expect((await ask(unknownKey(), "GET", "/wallets/balance")).status).toBe(401);
  await expectLists(undefined);
}

test("a cell that is away at the start, or is lost later, is felt by its own environments only", async () => {
  const first = await startServer(config, silentLog);
  expect((await fund(here.secretKey)).status).toBe(201);
  // A mover dies after the door was closed: somebody is told, until the move is run again.
  await killAfter({ cells, environmentId: away.environment.id, to: "abuja" }, "closed");
  await eventually("its lock is free", async () => (await figure('jara_environments_moving{mover="gone"}')) === "1");
  expect(Number(await figure('jara_environment_move_seconds{mover="gone"}'))).toBeGreaterThan(0);
  expect(await figure('jara_environments_moving{mover="at_work"}')).toBe("0");
  expect((await ask(away.secretKey, "POST", "/sandbox/wallets/fund", { amount: 1_000 })).status).toBe(503);
  const stopped = await runProgram("move-cells.ts", "list");
  expect([stopped.code, stopped.said]).toEqual([0, expect.stringContaining("to abuja; NOBODY MOVES IT: run npm run")]);
  const seen: (string | undefined)[] = [];
  const onStep = async () => void seen.push(await figure('jara_environments_moving{mover="at_work"}'));
  await moveEnvironment({ cells, environmentId: away.environment.id, to: "abuja", verify: async () => [], onStep });
  // On its way from the first step to the last but one: also while home has switched and the new place is not open.
  expect(seen.slice(0, -1).every((count) => count === "1")).toBe(true);
  expect([seen.at(-1), await figure('jara_environments_moving{mover="gone"}')]).toEqual(["0", "0"]);
  await first.stop();

  await line.cut();
  await start();
  await expectDegraded("away-at-the-start");
  // All at once: each only looks, and waits for some seconds for the cell.
  const [verified, listed, refused] = await Promise.all([
    runProgram("verify-ledger.ts"),
    runProgram("move-cells.ts", "list"),
    runProgram("move-cells.ts", "move", away.environment.id, "--to", "home"),
    expect(withAllCells(config, async () => undefined)).rejects.toThrow("cannot be used"),
  ]);
  expect(verified.said).toContain("Environments verified: 1. Differences: 0.");
  expect(verified.said).toContain("The cell abuja cannot be reached: nothing in it was verified.");
  expect(verified.said).toContain("Environments not verified: 1.");
  expect(listed.said).toContain(`abuja (CANNOT BE REACHED): ${away.environment.id}`);
  expect([verified.code, listed.code]).toEqual([3, 3]);
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining("the cell abuja cannot be reached")]);
  await line.mend();
  await expectWhole("joined");
  for (const { code, said } of await Promise.all([
    runProgram("verify-ledger.ts"),
    runProgram("move-cells.ts", "list"),
  ])) {
    expect(code, said).toBe(0);
  }

  await line.cut();
  await expectDegraded("lost-later");
  await line.mend();
  await expectWhole("back");
}, 300_000);

test("a cell that refuses the server's login is a wrong setting: the server does not start", async () => {
  const wrong = new URL(other.ownerUrl);
  wrong.username = "nobody-of-that-name";
  const cells = new Map([["abuja", wrong.toString()]]);
  await expect(startServer({ ...config, port: await findFreePort(), cells }, silentLog)).rejects.toThrow(
    "cannot be used",
  );
});
