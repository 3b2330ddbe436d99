/** The PostgreSQL that a server brought along is killed: the server starts it again and goes on. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Jara } from "../../sdk/src/index.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { eventually } from "../../server/testing/work.ts";
import { askPostgres, postmasterPid } from "./embedded-postgres.ts";
import { connectTo, makeHome, processesUsing, startServer, stopServer } from "./server-process.ts";

/** Five seconds is the aim, and what it takes on a machine of its own; tests share theirs, and its disk. */
const backWithinMs = 15_000;

/** Pays again and again until told to stop; remembers what was acknowledged, and when. */
function keepPaying(jara: Jara, name: string) {
  const acknowledged: { readonly id: string; readonly at: number }[] = [];
  let isOver = false;
  const paying = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const order = { accountNumber: "0690000032", bankCode: "044", amount: 100, reference: `${name}-${n}` };
      const paid = await jara.transfers.create(order, { maxRetries: 0, timeoutMs: 2_000 }).catch(() => undefined);
      if (paid !== undefined) acknowledged.push({ id: paid.id, at: performance.now() });
      await pause(20);
    }
  })();
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await paying;
    },
  };
}

test("a killed PostgreSQL is back within seconds, with all that was acknowledged", async () => {
  const home = makeHome();
  const server = startServer({ JARA_HOME: home, PORT: String(await findFreePort()) });
  await server.ready;
  const jara = connectTo(server, home);
  const payers = ["one", "two", "three"].map((name) => keepPaying(jara, name));
  const countSince = (moment: number) =>
    payers.flatMap((payer) => payer.acknowledged).filter(({ at }) => at > moment).length;
  await eventually("some are paid", () => countSince(0) > 10);
  // As on any later day: what made the cluster and its schema need not be written again after a crash.
  await askPostgres(home, "checkpoint");
  for (let time = 1; time <= 2; time += 1) {
    const killed = postmasterPid(home);
    const killedAt = performance.now();
    process.kill(killed, "SIGKILL");
    await eventually("another PostgreSQL starts", () => ![0, killed].includes(postmasterPid(home)));
    const startedAt = performance.now();
    await eventually("payouts are accepted again", () => countSince(startedAt) > 0);
    expect(performance.now() - killedAt).toBeLessThan(backWithinMs);
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
  }
  await Promise.all(payers.map((payer) => payer.stop()));
  const acknowledged = payers.flatMap((payer) => payer.acknowledged).map(({ id }) => id);
  const completed = async () => {
    const ids = new Set<string>();
    for await (const { id } of jara.transfers.list({ status: "completed", limit: 100 })) ids.add(id);
    return acknowledged.every((id) => ids.has(id));
  };
  await eventually("all that was acknowledged is paid", completed, 60_000);
  await stopServer(server);
  expect(processesUsing(home)).toEqual([]);
});
