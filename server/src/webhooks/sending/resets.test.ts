import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { answering, createReceiver } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender } from "../../../testing/webhooks/webhooks.ts";
import { eventually } from "../../../testing/work.ts";
import { readEnvironment } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";

const app = await createTestApp();
const emptied = app.merchant;
const neighbour = app.otherMerchant;

/** Shuts the gate as a reset does, until it is told to open it. */
async function shutGate(environmentId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.ownerUrl });
  await client.connect();
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock(environment_gate($1))", [environmentId]);
  onTestFinished(() => client.end());
  return async () => void (await client.query("commit"));
}

async function attemptsIn(environmentId: string, endpoints: readonly { id: string }[]): Promise<number> {
  const ids = endpoints.map(({ id }) => id);
  const query = sql<{ attempts: number }>`
    select attempts from webhook_deliveries where endpoint_id = any (${ids}::uuid[])`;
  const found = await readEnvironment(app.db, environmentId, (tx) => query.execute(tx));
  return found.rows.reduce((sum, { attempts }) => sum + attempts, 0);
}

test.each([
  { outcome: "arrives", status: 200 },
  { outcome: "fails", status: 500 },
])("what $outcome at a neighbour is written down while a sandbox is being emptied", async ({ status }) => {
  const receivers = [await createReceiver(answering(status)), await createReceiver(answering(status))] as const;
  // More than the sender settles at a time.
  const own = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => addEndpoint(app, `${receivers[0].url}/${n}`, {}, emptied.secretKey)),
  );
  const next = await addEndpoint(app, receivers[1].url, {}, neighbour.secretKey);
  const sender = createTestSender(app);
  await announce(app, [1], undefined, emptied.environment.id);
  await sequenceEvents(app.db);
  const open = await shutGate(emptied.environment.id);
  onTestFinished(open);
  await sender.round();
  await eventually("the emptied sandbox was sent its own", () => receivers[0].received.length === 5);
  await announce(app, [1], undefined, neighbour.environment.id);
  await sequenceEvents(app.db);
  await sender.round();
  await eventually(
    "the neighbour's is written down",
    async () => (await attemptsIn(neighbour.environment.id, [next])) === 1,
  );
  expect(await attemptsIn(emptied.environment.id, own)).toBe(0);
  await open();
  await sender.drain();
  expect(await attemptsIn(emptied.environment.id, own)).toBe(5);
});

test("an endpoint that has answered gets its next message before the last one could be written down", async () => {
  const receiver = await createReceiver(answering(200));
  const endpoint = await addEndpoint(app, receiver.url, {}, emptied.secretKey);
  const sender = createTestSender(app, { limits: { first: 1, most: 1 } });
  await announce(app, [1], undefined, emptied.environment.id);
  await announce(app, [1], undefined, emptied.environment.id);
  await sequenceEvents(app.db);
  const open = await shutGate(emptied.environment.id);
  onTestFinished(open);
  await eventually("both were sent, one after the other", async () => {
    await sender.round();
    return receiver.received.length === 2;
  });
  expect(receiver.connections()).toBe(1);
  expect(await attemptsIn(emptied.environment.id, [endpoint])).toBe(0);
  await open();
  await sender.drain();
  expect(await attemptsIn(emptied.environment.id, [endpoint])).toBe(2);
});
