/** Workers die by SIGKILL while messages are under way: every event still arrives, under the id it had before. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { recordEvents } from "../../server/src/platform/records/outbox.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../server/src/platform/secrets/crypto.ts";
import { createEndpoint } from "../../server/src/webhooks/endpoints/endpoint-routes.ts";
import { reachPolicyFor } from "../../server/src/webhooks/endpoints/reachable-address.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";
import { answering, createReceiver, type Manner, silent } from "../../server/testing/webhooks/webhook-receiver.ts";
import { eventually } from "../../server/testing/work.ts";

const { db, appUrl } = await createTestDatabase();
const masterKey = generateMasterKey();
const sealer = createSealer(parseMasterKeys(masterKey));
const program = join(import.meta.dirname, "../../server/testing/webhooks/webhook-worker-process.ts");
const workers: ChildProcess[] = [];

afterAll(() => {
  for (const worker of workers) worker.kill("SIGKILL");
});

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [program, appUrl, masterKey, "1"], { stdio: ["ignore", "pipe", "inherit"] });
  workers.push(worker);
  if (worker.stdout === null) throw new Error("the worker has no output");
  await once(worker.stdout, "data");
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

async function createScene(manner: Manner, count: number) {
  const { environment } = await createMerchant(db);
  const receiver = await createReceiver(manner);
  const policy = reachPolicyFor("SANDBOX", { blocks: [], sandboxLoopback: true });
  await inEnvironment(db, environment.id, (tx) =>
    createEndpoint(tx, { url: receiver.url, policy, eventNames: [], sealer }),
  );
  const event = () => ({
    event: "transfer.completed",
    resourceType: "transfer",
    resourceId: randomUUID(),
    resourceVersion: 1,
    data: {},
  });
  const ids = await inEnvironment(db, environment.id, (tx) => recordEvents(tx, Array.from({ length: count }, event)));
  const delivered = async (): Promise<number> => {
    const found = await inEnvironment(db, environment.id, (tx) =>
      sql<{ count: number }>`select count(*)::integer as count from webhook_deliveries
        where status = 'delivered'`.execute(tx),
    );
    return found.rows[0]?.count ?? 0;
  };
  return { receiver, ids, delivered, seen: () => receiver.received.map(({ headers }) => headers["webhook-id"]) };
}

test("what a worker had sent and not yet heard of when it was killed is sent again under the same id", async () => {
  const scene = await createScene(silent, 3);
  const worker = await startWorker();
  await eventually("all messages are under way", () => scene.receiver.received.length >= 3);
  await kill(worker);
  expect(await scene.delivered()).toBe(0);
  scene.receiver.behave(answering(200));
  const next = await startWorker();
  await eventually("all are delivered", async () => (await scene.delivered()) === 3);
  await kill(next);
  expect(scene.seen().toSorted()).toEqual([...scene.ids, ...scene.ids].toSorted());
});

test("every event arrives although workers are killed again and again", async () => {
  const count = 2_000;
  const scene = await createScene((reply) => void setTimeout(() => reply.writeHead(200).end(), 2), count);
  for (const share of [0.1, 0.4, 0.7]) {
    const worker = await startWorker();
    await eventually("some arrived", () => new Set(scene.seen()).size >= count * share);
    await kill(worker);
  }
  const last = await startWorker();
  await eventually("all are delivered", async () => (await scene.delivered()) === count);
  await kill(last);
  expect(new Set(scene.seen())).toEqual(new Set(scene.ids));
});
