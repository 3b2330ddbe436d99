import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { answering, createReceiver, type Manner } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender, sendDue } from "../../../testing/webhooks/webhooks.ts";
import { readEnvironment } from "../../platform/database/database.ts";

const app = await createTestApp();

interface AttemptRow {
  readonly at: Date;
  readonly response_status: number | null;
  readonly error: string | null;
}

/** A merchant of its own with one endpoint, whose clock can be moved. */
async function createStage(manner: Manner, path = "") {
  const merchant = await createMerchant(app.db);
  const key = merchant.secretKey;
  const environmentId = merchant.environment.id;
  const receiver = await createReceiver(manner);
  const endpoint = await addEndpoint(app, `${receiver.url}${path}`, {}, key);
  const sender = createTestSender(app);
  const rows = <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
    readEnvironment(app.db, environmentId, async (tx) => (await query.execute(tx)).rows);
  return {
    key,
    environmentId,
    receiver,
    endpoint,
    rows,
    send: () => sendDue(app, sender),
    announce: (versions?: readonly number[], resource?: string) => announce(app, versions, resource, environmentId),
    call: (method: string, url: string, body?: unknown) =>
      app.call(method, url, { key, ...(body === undefined ? {} : { body }) }),
    async advance(by: Readonly<Record<string, unknown>>) {
      const reply = await app.call("POST", "/sandbox/clock/advance", { key, body: by });
      if (reply.statusCode !== 200) throw new Error(reply.body);
      return reply.json().data as { ran: number; nextDueAt: string | null };
    },
    attempts: () =>
      rows(sql<AttemptRow>`select at, response_status, error from webhook_attempt_log
        where endpoint_id = ${endpoint.id} order by sent_at`),
    statuses: async () =>
      (
        await rows(sql<{ status: string }>`select status from webhook_deliveries
          where endpoint_id = ${endpoint.id} order by event_position`)
      ).map(({ status }) => status),
    versions: () => receiver.received.map(({ body }) => JSON.parse(body).resource_version as number),
    read: async () => (await app.call("GET", `/webhooks/endpoints/${endpoint.id}`, { key })).json().data,
  };
}

const scheduleSeconds = [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400];

function gapsOf(attempts: readonly AttemptRow[]): number[] {
  return attempts.slice(1).map(({ at }, index) => (at.getTime() - (attempts[index]?.at.getTime() ?? 0)) / 1_000);
}

describe("retries", () => {
  test("come one by one as the sandbox's clock is advanced by the schedule", async () => {
    const stage = await createStage(answering(500));
    await stage.announce();
    await stage.send();
    expect(await stage.attempts()).toHaveLength(1);
    await stage.send();
    expect(await stage.attempts()).toHaveLength(1);
    for (const [index, seconds] of scheduleSeconds.entries()) {
      await stage.advance({ seconds });
      await stage.send();
      expect(await stage.attempts()).toHaveLength(index + 2);
    }
    expect(await stage.statuses()).toEqual(["failed"]);
    expect((await stage.advance({ days: 2 })).nextDueAt).toBeNull();
  });

  test.each(["running", "frozen"])("are all played out by one long advance of a %s clock", async (mode) => {
    const stage = await createStage(answering(500));
    await stage.call("PUT", "/sandbox/clock", { mode, ...(mode === "frozen" ? { seed: "a" } : {}) });
    await stage.announce();
    await stage.send();
    await stage.advance({ days: 4 });
    await stage.send();
    const attempts = await stage.attempts();
    expect(attempts).toHaveLength(10);
    expect(await stage.statuses()).toEqual(["failed"]);
    for (const [index, gap] of gapsOf(attempts).entries()) {
      const planned = scheduleSeconds[index] ?? 0;
      expect(gap).toBeGreaterThanOrEqual(planned * 0.8 - 0.001);
      expect(gap).toBeLessThanOrEqual(planned);
    }
    expect(new Set(stage.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test("stop when one succeeds", async () => {
    const stage = await createStage(answering(503));
    await stage.announce();
    await stage.send();
    expect((await stage.read()).failingSince).not.toBeNull();
    stage.receiver.behave(answering(204));
    await stage.advance({ days: 4 });
    await stage.send();
    expect((await stage.attempts()).map(({ response_status }) => response_status)).toEqual([503, 204]);
    expect(await stage.statuses()).toEqual(["delivered"]);
    expect((await stage.read()).failingSince).toBeNull();
  });

  test("wait as long as Retry-After asks", async () => {
    const stage = await createStage(answering(429, { "retry-after": "120" }));
    await stage.announce();
    await stage.send();
    await stage.advance({ seconds: 110 });
    await stage.send();
    expect(await stage.attempts()).toHaveLength(1);
    await stage.advance({ seconds: 10 });
    await stage.send();
    expect(await stage.attempts()).toHaveLength(2);
  });

  test("happen when the ticker brings them on a running clock, through the job", async () => {
    const stage = await createStage(answering(500));
    await stage.announce();
    await stage.send();
    const [due] = await stage.rows(sql<{ subject: string }>`select subject from agenda where kind = 'webhooks.retry'`);
    if (due === undefined) throw new Error("no retry was booked");
    const task = { environmentId: stage.environmentId, subject: due.subject, payload: {} };
    const handle = app.tasks.kinds.get("webhooks.retry")?.handle;
    await Promise.all([handle?.(task), handle?.(task)]);
    await stage.send();
    expect(await stage.attempts()).toHaveLength(2);
  });

  test("say why no answer came", async () => {
    const stage = await createStage((reply) => void reply.socket?.destroy());
    await stage.announce();
    await stage.send();
    const expected = { response_status: null, error: "The connection was closed before an answer came." };
    expect(await stage.attempts()).toMatchObject([expected]);
  });
});

describe("events of one resource", () => {
  test("wait for the earlier one until its fourth try failed, and overtake it then", async () => {
    const refuseFirst: Manner = (reply, { body }) =>
      void reply.writeHead(JSON.parse(body).resource_version === 1 ? 500 : 200).end();
    const stage = await createStage(refuseFirst);
    const resource = crypto.randomUUID();
    await stage.announce([1], resource);
    await stage.send();
    await stage.announce([2, 3], resource);
    await stage.announce([9]);
    await stage.send();
    expect(stage.versions()).toEqual([1, 9]);
    await stage.advance({ seconds: 5 });
    await stage.send();
    await stage.advance({ seconds: 60 });
    await stage.send();
    expect(stage.versions()).toEqual([1, 9, 1, 1]);
    await stage.advance({ seconds: 300 });
    await stage.send();
    expect(stage.versions()).toEqual([1, 9, 1, 1, 1, 2, 3]);
    await stage.announce([4], resource);
    await stage.send();
    expect(stage.versions().at(-1)).toBe(4);
    expect(await stage.statuses()).toEqual(["pending", "delivered", "delivered", "delivered", "delivered"]);
  });
});

describe("an endpoint that cannot be used any more", () => {
  test("is disabled by 410, keeps its deliveries, and the merchant is told", async () => {
    const stage = await createStage(answering(410));
    const other = await createReceiver();
    await addEndpoint(app, other.url, {}, stage.key);
    await stage.announce([1]);
    await stage.send();
    expect(await stage.read()).toMatchObject({
      enabled: false,
      disabledReason: { code: "gone", message: expect.any(String) },
    });
    await stage.announce([2]);
    await stage.advance({ days: 4 });
    await stage.send();
    expect(stage.receiver.received).toHaveLength(1);
    expect((await stage.statuses()).slice(0, 3)).toEqual(["held", "held", "held"]);
    const told = other.received.map(({ body }) => JSON.parse(body)).find(({ event }) => event.includes("disabled"));
    expect(told).toMatchObject({ event: "webhook.endpoint.disabled", data: await stage.read() });
  });

  test("is disabled after five days without a success, and not sooner", async () => {
    const stage = await createStage(answering(500));
    await stage.announce();
    await stage.send();
    await stage.advance({ days: 4 });
    await stage.announce();
    await stage.send();
    expect((await stage.read()).enabled).toBe(true);
    await stage.advance({ days: 1 });
    await stage.announce();
    await stage.send();
    expect(await stage.read()).toMatchObject({ enabled: false, disabledReason: { code: "failing" } });
  });

  test("is not disabled when something arrived in between", async () => {
    const stage = await createStage(answering(500));
    await stage.announce();
    await stage.send();
    await stage.advance({ days: 4 });
    await stage.send();
    stage.receiver.behave(answering(200));
    await stage.announce();
    await stage.send();
    stage.receiver.behave(answering(500));
    await stage.advance({ days: 2 });
    await stage.announce();
    await stage.send();
    expect(await stage.read()).toMatchObject({ enabled: true, disabledReason: null });
  });

  test("is sent what was held when it is enabled and the events are replayed, in order", async () => {
    const stage = await createStage(answering(500));
    const resource = crypto.randomUUID();
    const ids = await stage.announce([1, 2, 3], resource);
    await stage.send();
    await stage.call("PATCH", `/webhooks/endpoints/${stage.endpoint.id}`, { enabled: false });
    expect(await stage.statuses()).toEqual(["held", "held", "held"]);
    expect((await stage.advance({ days: 4 })).ran).toBe(0);
    stage.receiver.behave(answering(200));
    await stage.call("PATCH", `/webhooks/endpoints/${stage.endpoint.id}`, { enabled: true });
    await stage.send();
    expect(stage.versions()).toEqual([1]);
    const from = new Date(Date.now() - 60_000).toISOString();
    const to = new Date(Date.now() + 60_000).toISOString();
    const replay = await stage.call("POST", "/events/redeliver", { from, to });
    expect(replay.statusCode, replay.body).toBeLessThan(300);
    await stage.send();
    expect(stage.versions()).toEqual([1, 1, 2, 3]);
    expect(stage.receiver.received.slice(1).map(({ headers }) => headers["webhook-id"])).toEqual(ids);
  });

  test("is sent nothing once deleted, and its log stays", async () => {
    const stage = await createStage(answering(500));
    const [eventId] = await stage.announce();
    await stage.send();
    await stage.call("DELETE", `/webhooks/endpoints/${stage.endpoint.id}`);
    await stage.advance({ days: 4 });
    await stage.announce();
    await stage.send();
    expect(stage.receiver.received).toHaveLength(1);
    expect(await stage.statuses()).toEqual(["cancelled"]);
    const deliveries = await stage.call("GET", `/events/${eventId}/deliveries`);
    expect(deliveries.statusCode, deliveries.body).toBe(200);
    expect(deliveries.json().data).toHaveLength(1);
  });
});
