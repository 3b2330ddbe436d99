/** From events to deliveries: each exactly once, and no event of a line left waiting, whatever happens at the same time. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { answering, createReceiver } from "../../../testing/webhooks/webhook-receiver.ts";
import {
  addEndpoint,
  announce,
  announceNumbered,
  createTestSender,
  sendDue,
} from "../../../testing/webhooks/webhooks.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { inEnvironment, inTransaction } from "../../platform/database/database.ts";
import { createSequencer, sequenceEvents } from "../../platform/records/sequencer.ts";
import { startLoop } from "../../platform/work/background-loop.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { webhookSweepSources } from "../sending/retry-webhooks.job.ts";

const app = await createTestApp();

async function createStage() {
  const merchant = await createMerchant(app.db);
  const environmentId = merchant.environment.id;
  const receiver = await createReceiver();
  const endpoint = await addEndpoint(app, receiver.url, {}, merchant.secretKey);
  const statuses = () =>
    inEnvironment(app.db, environmentId, async (tx) => {
      const found = await sql<{ status: string }>`select status from webhook_deliveries
        order by event_position`.execute(tx);
      return found.rows.map(({ status }) => status);
    });
  return { key: merchant.secretKey, environmentId, receiver, endpoint, statuses };
}

describe("fan-out", () => {
  test("makes one delivery for each event and endpoint, with several sequencing at once", async () => {
    const stage = await createStage();
    await addEndpoint(app, `${stage.receiver.url}/twin`, {}, stage.key);
    await Promise.all(Array.from({ length: 50 }, () => announce(app, [1], undefined, stage.environmentId)));
    await Promise.all([1, 2, 3].map(() => sequenceEvents(app.db)));
    await sequenceEvents(app.db);
    expect(await stage.statuses()).toHaveLength(100);
  });

  test("is undone together with the positions when it is cut off, and then done once", async () => {
    const stage = await createStage();
    await announce(app, [1, 2], undefined, stage.environmentId);
    const cutOff = inTransaction(app.db, async (tx) => {
      await sql`select sequence_events(100)`.execute(tx);
      throw new Error("killed");
    });
    await expect(cutOff).rejects.toThrow("killed");
    expect(await stage.statuses()).toEqual([]);
    await sequenceEvents(app.db);
    expect(await stage.statuses()).toEqual(["pending", "pending"]);
  });

  test("holds the events of a disabled endpoint and makes none for a deleted one", async () => {
    const stage = await createStage();
    await app.call("PATCH", `/webhooks/endpoints/${stage.endpoint.id}`, { key: stage.key, body: { enabled: false } });
    await announce(app, [1], undefined, stage.environmentId);
    await sequenceEvents(app.db);
    await app.call("DELETE", `/webhooks/endpoints/${stage.endpoint.id}`, { key: stage.key });
    await announce(app, [2], undefined, stage.environmentId);
    await sequenceEvents(app.db);
    expect(await stage.statuses()).toEqual(["cancelled"]);
  });

  test("a delivery made while its endpoint was being disabled is put aside, not sent", async () => {
    const stage = await createStage();
    await announce(app, [1], undefined, stage.environmentId);
    await inEnvironment(app.db, stage.environmentId, async (tx) => {
      await sql`update webhook_endpoints set enabled = false, disabled_reason = 'merchant'`.execute(tx);
      // The sequencer does not see the change yet.
      await sequenceEvents(app.db);
    });
    expect(await stage.statuses()).toEqual(["pending"]);
    await sendDue(app, createTestSender(app));
    expect(await stage.statuses()).toEqual(["held"]);
    expect(stage.receiver.received).toEqual([]);
  });
});

describe("a line", () => {
  test("never stops, with events written, sequenced, sent and settled all at once", async () => {
    const stage = await createStage();
    stage.receiver.behave((reply) => void setImmediate(() => reply.writeHead(200).end()));
    const resources = Array.from({ length: 5 }, () => randomUUID());
    const senders = [createTestSender(app), createTestSender(app)];
    const loops = [
      ...[1, 2].map(() => startLoop({ name: "sequencer", log: silentLog, step: createSequencer(app.db) })),
      ...senders.map(({ round }) => startLoop({ name: "sender", log: silentLog, step: round })),
    ];
    for (let version = 1; version <= 40; version += 1) {
      await Promise.all(
        resources.map((resourceId, place) => {
          const write = (version + place) % 3 === 0 ? announceNumbered : announce;
          return write(app, [version], resourceId, stage.environmentId);
        }),
      );
    }
    await eventually("all arrived", () => stage.receiver.received.length >= 200);
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(senders.map((sender) => sender.drain()));
    const seen = stage.receiver.received.map(({ body }) => JSON.parse(body).data as { id: string; version: number });
    const inOrder = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const resource of resources) {
      expect(seen.filter(({ id }) => id === resource).map(({ version }) => version)).toEqual(inOrder);
    }
  });

  test("goes on when the earlier event arrives while the later one is being fanned out", async () => {
    const stage = await createStage();
    const asked = Promise.withResolvers<() => void>();
    stage.receiver.behave((reply) => asked.resolve(() => reply.writeHead(200).end()));
    const resource = randomUUID();
    await announce(app, [1], resource, stage.environmentId);
    await sequenceEvents(app.db);
    const sender = createTestSender(app);
    await sender.round();
    const answer = await asked.promise;
    stage.receiver.behave(answering(200));
    await announce(app, [2], resource, stage.environmentId);
    await inTransaction(app.db, async (tx) => {
      await sql`select sequence_events(100)`.execute(tx);
      answer();
      // The arrival cannot be settled yet; were it not to wait for us, it would be by now and the next one missed.
      await sql`select pg_sleep(0.2)`.execute(tx);
    });
    await sender.drain();
    await sendDue(app, sender);
    expect(await stage.statuses()).toEqual(["delivered", "delivered"]);
  });

  test("whose next event was missed is found by the sweeper, and so is a retry that nobody has booked", async () => {
    const stage = await createStage();
    stage.receiver.behave(answering(500));
    await announce(app, [1], undefined, stage.environmentId);
    const sender = createTestSender(app);
    await sendDue(app, sender);
    await announce(app, [1], undefined, stage.environmentId);
    await sequenceEvents(app.db);
    stage.receiver.behave(answering(200));
    await inEnvironment(app.db, stage.environmentId, async (tx) => {
      await sql`delete from agenda`.execute(tx);
      await sql`update webhook_deliveries set waits = true, claim_at = null where attempts = 0`.execute(tx);
    });
    await sendDue(app, sender);
    expect(await stage.statuses()).toEqual(["pending", "pending"]);
    expect(await sweep(app.db, webhookSweepSources, silentLog)).toBe(2);
    const jobs = await sql<{ data: { environmentId: string; subject: string } }>`
      select data from pgboss.job where name = 'webhooks.retry' and state = 'created'`.execute(app.db);
    const handle = app.tasks.kinds.get("webhooks.retry")?.handle;
    for (const { data } of jobs.rows) await handle?.({ ...data, payload: {} });
    await sendDue(app, sender);
    expect(await stage.statuses()).toEqual(["delivered", "delivered"]);
  });
});

test("deliveries leave a frozen sandbox's ids and order of writes alone", async () => {
  const logOf = async (manner: number): Promise<unknown> => {
    const stage = await createStage();
    stage.receiver.behave(answering(manner));
    const now = "2026-11-01T08:00:00.000Z";
    await app.call("PUT", "/sandbox/clock", { key: stage.key, body: { mode: "frozen", now, seed: "same" } });
    const resource = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
    const ids: string[] = [];
    const sender = createTestSender(app);
    for (const version of [1, 2, 3]) {
      ids.push(...(await announce(app, [version], resource, stage.environmentId)));
      await sendDue(app, sender);
    }
    return ids;
  };
  expect(await logOf(500)).toEqual(await logOf(200));
});
