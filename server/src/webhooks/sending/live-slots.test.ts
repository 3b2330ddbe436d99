/** However many receivers of sandboxes hang, live messages leave. */
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { createReceiver, silent } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender } from "../../../testing/webhooks/webhooks.ts";
import { asOwner, eventually } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";

const app = await createTestApp();

async function createStage(): Promise<{ readonly environmentId: string; readonly endpointId: string }> {
  const { secretKey: key, environment } = await createMerchant(app.db);
  const { url } = await createReceiver(silent);
  const { id: endpointId } = await addEndpoint(app, url, {}, key);
  return { environmentId: environment.id, endpointId };
}

/** A sandbox that has become live, without its merchant's other live environment. */
async function makeLive({ environmentId }: { readonly environmentId: string }): Promise<void> {
  await asOwner(
    app.ownerUrl,
    `delete from environments where kind = 'LIVE'
       and merchant_id = (select merchant_id from environments where id = '${environmentId}');
     update environments set kind = 'LIVE' where id = '${environmentId}'`,
  );
}

const attemptsOf = ({ environmentId, endpointId }: { readonly environmentId: string; readonly endpointId: string }) =>
  inEnvironment(app.db, environmentId, async (tx) => {
    const rows = tx.selectFrom("webhook_attempt_log").select("error").where("endpoint_id", "=", endpointId);
    return (await rows.execute()).length;
  });

test("sandboxes never take the slots that live has for itself, and live may take all", async () => {
  const hanging = [await createStage(), await createStage(), await createStage()];
  const live = await createStage();
  await makeLive(live);
  for (const { environmentId } of hanging) {
    await Promise.all(Array.from({ length: 4 }, () => announce(app, [1], undefined, environmentId)));
  }
  await sequenceEvents(app.db);
  const sender = createTestSender(app, { totalMs: 60_000, slots: { all: 8, live: 2 } });
  // Three endpoints of four messages each would fill all eight.
  for (let round = 0; round < 4; round += 1) await sender.round();
  await announce(app, [1], undefined, live.environmentId);
  await sequenceEvents(app.db);
  await sender.round();
  // Live messages reach no address of this machine, so the try ends at once.
  await eventually("the live message was tried", async () => (await attemptsOf(live)) === 1);
  expect(await Promise.all(hanging.map(attemptsOf))).toEqual([0, 0, 0]);
  await sender.close();
});
