/** A server whose clock is wrong, or jumps, neither delays nor hurries what is due: the database's clock says when. */
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Jara } from "../../sdk/src/index.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import {
  childOf,
  connectTo,
  makeHome,
  projectRoot,
  readDevFile,
  type ServerProcess,
  startServer,
  stopServer,
} from "./server-process.ts";

const fiveMinutesMs = 300_000;
const home = makeHome();
const clockFile = join(home, "clock");
const preload = join(projectRoot, "server", "testing", "shift-clock.mjs");
let server: ServerProcess;
let jara: Jara;

interface Try {
  readonly eventId: string;
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
}

/** Turns each event away once, and takes it then. */
const tries: Try[] = [];
const receiver = createServer((request, response) => {
  const eventId = String(request.headers["webhook-id"]);
  const isFirst = !tries.some((one) => one.eventId === eventId);
  tries.push({ eventId, atMs: Date.now(), headers: request.headers });
  request.resume().on("end", () => response.writeHead(isFirst ? 500 : 200).end());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  writeFileSync(clockFile, String(fiveMinutesMs));
  const settings = { JARA_HOME: home, PORT: String(await findFreePort()), JARA_TEST_CLOCK: clockFile };
  server = startServer(settings, { preload });
  await server.ready;
  jara = connectTo(server, home);
  const { port } = receiver.address() as AddressInfo;
  await jara.webhooks.endpoints.create({ url: `http://127.0.0.1:${port}/`, events: ["transfer.reversed"] });
});

afterAll(async () => {
  await stopServer(server);
  receiver.close();
});

/** The server's own Node takes the signal when it comes round to it; what it says about its clock then shows it. */
async function jumpTo(aheadMs: number): Promise<void> {
  writeFileSync(clockFile, String(aheadMs));
  process.kill(childOf(server.child.pid), "SIGUSR2");
  await expect.poll(readAhead).toBeCloseTo(aheadMs / 1000, -1);
}

/** Seconds, as the server's figures have it. */
async function readAhead(): Promise<number> {
  const { operatorToken } = readDevFile(home);
  const headers = { authorization: `Bearer ${operatorToken}` };
  const response = await fetch(`${server.baseUrl}/metrics`, { headers });
  return Number(/^jara_clock_ahead_seconds (\S+)$/m.exec(await response.text())?.[1]);
}

test.each([
  ["is five minutes ahead", fiveMinutesMs],
  ["jumps back by ten minutes", -fiveMinutesMs],
])("while a server's clock %s", async (name, aheadMs) => {
  await jumpTo(aheadMs);
  const began = Date.now();
  const pay = (ending: string) =>
    jara.transfers.create({
      accountNumber: "0123456789",
      bankCode: "058",
      amount: 2500,
      currency: "NGN",
      reference: `${name.replaceAll(" ", "-")}${ending}`,
    });
  const [lost, reversed] = await Promise.all([pay("_TIMEOUT"), pay("_REVERSE")]);
  const statusOf = async (id: string) => (await jara.transfers.get(id)).status;
  // The question about a lost reply comes after about five seconds, a reversal after about three.
  await expect.poll(() => statusOf(lost.id)).toBe("completed");
  await expect.poll(() => statusOf(reversed.id)).toBe("reversed");
  const tookMs = Date.now() - began;
  expect(tookMs).toBeGreaterThan(2_500);
  expect(Math.abs(Date.parse(lost.createdAt) - began)).toBeLessThan(30_000);

  // A second try comes after four to five seconds, and each is signed with a time that receivers accept.
  const since = () => tries.filter(({ atMs }) => atMs >= began);
  await expect.poll(since).toHaveLength(2);
  const [first, second] = since();
  expect(second?.eventId).toBe(first?.eventId);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(3_500);
  for (const { atMs, headers } of [first, second].flatMap((one) => one ?? [])) {
    expect(Math.abs(Number(headers["webhook-timestamp"]) * 1000 - atMs)).toBeLessThan(10_000);
  }
});
