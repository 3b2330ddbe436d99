/** Walks docs/guides/going-live.md as an operator does: a server, the twins, and every command of the page in order. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Jara } from "../../sdk/src/index.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { blocksOf, runnable } from "../document/fenced-blocks.ts";
import { makeHome, projectRoot, type ServerProcess, startServer, stopServer } from "./server-process.ts";

const folder = makeHome();
const page = "docs/guides/going-live.md";
const blocks = runnable(page, "sh");
const startedByHand = blocksOf(page).filter(({ tag }) => tag === "by-hand");
let server: ServerProcess;
let twins: ReturnType<typeof spawn>;
let firstPort: number;

beforeAll(async () => {
  const settings = startedByHand.find(({ text }) => text.startsWith("JARA_LENDER_"))?.text ?? "";
  const lender = [...settings.matchAll(/(JARA_\w+)=("?)(.*?)\2[\s\\]/g)].map(([, name, , value]) => [name, value]);
  const home = { JARA_HOME: join(folder, ".jara"), PORT: String(await findFreePort()) };
  server = startServer({ ...home, ...Object.fromEntries(lender) });
  firstPort = await findFreePort();
  twins = spawn(process.execPath, [join(projectRoot, "tools", "twins", "run.ts")], {
    env: { ...process.env, TWINS_PORT: String(firstPort) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (twins.stdout === null) throw new Error("the twins say nothing");
  await Promise.all([server.ready, once(twins.stdout, "data")]);
});

afterAll(async () => {
  twins.kill("SIGTERM");
  await stopServer(server);
});

/** Runs commands in the page's own order and returns what was printed, one reply a line. */
function play(commands: readonly string[]): Record<string, unknown>[] {
  const script = commands
    .join("\n")
    .replaceAll("curl -s ", "curl -s -w '\\n' ")
    .replaceAll(/\b410([1-5])\b/g, (_, nth) => String(firstPort + Number(nth) - 1));
  const printed = execFileSync("bash", ["-eu", "-c", script], { cwd: folder, encoding: "utf8" });
  return printed
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

test("the page leads to a live payout that the provider has paid, and to money that came in", async () => {
  expect(startedByHand[0]?.text).toBe("npm run twins\n");
  const replies = play(blocks);
  // The loans family has a word for it.
  expect(replies.filter(({ status }) => status !== true && status !== "success")).toEqual([]);
  const [connection] = replies as { data: Record<string, unknown> }[];
  expect(connection?.data).toMatchObject({ provider: "paystack", state: "active", hold: null });
  const told = (message: string) => replies.filter((reply) => reply["message"] === message).map(({ data }) => data);
  expect(replies.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ reference: "live-1", status: "pending" }),
  );
  expect(told("Paid in")).toMatchObject([{ amount: 250_000, fees: 2_500, hook: 200 }]);
  expect(told("Suspense retrieved.")).toEqual([[]]);
  const balances = replies.map(({ data }) => data as { held?: number; available?: number });
  expect(balances).toContainEqual(expect.objectContaining({ available: 2_500, held: 0 }));
  expect(told("Lender's funds withdrawn")).toMatchObject([{ amount: 2_500_000, fundedAfter: 7_500_000 }]);
  expect(told("Loan product published.")).toMatchObject([{ code: "checkout", version: 2, graceDays: 3 }]);
  expect(told("Decisions compared.")).toMatchObject([
    [
      { changed: true, proposed: { eligible: false } },
      { changed: true, proposed: { maxAmount: 300_000 } },
    ],
  ]);
  expect(told("Credit policy published.")).toMatchObject([{ version: 4, minimumAge: 21 }]);
  expect(told("Rate published.")).toMatchObject([{ category: "airtime", version: 2, commissionPercent: 2.75 }]);
  expect(told("Tariff published.")).toMatchObject([{ version: 2, inForce: false }]);
  expect(replies.at(-1)).toMatchObject({
    data: { order_reference: "live-order-1", url: expect.stringMatching("/checkout/") },
  });
  const jara = new Jara({ secretKey: readLiveKey(), baseUrl: server.baseUrl });
  const { id } = await jara.transfers.getByReference("live-1");
  expect(await jara.transfers.waitUntilFinal(id)).toMatchObject({ status: "completed", environment: "LIVE" });
});

/** The page keeps the key in a variable of the shell; a second one opens the same environment. */
function readLiveKey(): string {
  const [variables = ""] = blocks;
  const list = `${variables}\noperate merchants`;
  const [reply] = play([list]) as { data: { environments: { id: string; kind: string }[] }[] }[];
  const live = reply?.data.flatMap(({ environments }) => environments).find(({ kind }) => kind === "LIVE");
  const [issued] = play([`${variables}\noperate environments/${live?.id}/keys -d '{"name":"Test"}'`]) as {
    data: { key: string };
  }[];
  return issued?.data.key ?? "";
}
