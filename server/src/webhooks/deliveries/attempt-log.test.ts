import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { addEndpoint } from "../../../testing/webhooks/webhooks.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { insertAttempt, moveFailed, recordArrivals } from "./delivery-store.ts";

const app = await createTestApp();
const { db, call } = app;

type Step = "arrives" | "fails" | "is sent again";

interface Shown {
  readonly attempts: readonly { readonly status: number | null }[];
}

/** Plays the steps on one delivery, and returns its tries as they were made and as they are shown, the newest first. */
async function play(steps: readonly Step[]): Promise<{ made: string[]; shown: string[] }> {
  const { secretKey: key, environment } = await createMerchant(db);
  const environmentId = environment.id;
  const { id: endpointId } = await addEndpoint(app, "http://localhost:9/hooks", {}, key);
  const [eventId = ""] = await record(db, environmentId, someEvent());
  while ((await sequenceEvents(db)) > 0);
  const made: string[] = [];
  for (const [place, step] of steps.entries()) {
    const at = new Date(Date.UTC(2026, 10, 1, 8, place));
    const tried = { eventId, endpointId, at, sentAt: at, durationMs: place };
    if (step === "is sent again") {
      expect((await call("POST", `/events/${eventId}/redeliver`, { key, body: {} })).statusCode).toBe(202);
    } else if (step === "arrives") {
      const said = { status: 200 + place, body: `try ${place}`, error: null };
      await recordArrivals(db, [{ ...tried, ...said, environmentId, resourceId: crypto.randomUUID() }]);
      made.unshift(`${200 + place}`);
    } else {
      await inEnvironment(db, environmentId, async (tx) => {
        await insertAttempt(tx, { ...tried, status: 500 + place, body: "", error: null });
        await moveFailed(tx, { eventId, endpointId }, { attempts: 1, nextAt: at, atOnce: false, at });
      });
      made.unshift(`${500 + place}`);
    }
  }
  const reply = await call("GET", `/events/${eventId}/deliveries`, { key });
  const [delivery] = reply.json().data as Shown[];
  return { made, shown: (delivery?.attempts ?? []).map(({ status }) => String(status)) };
}

test("an event that was sent again shows what became of it before", async () => {
  const { made, shown } = await play(["arrives", "is sent again", "fails", "arrives"]);
  expect(made).toEqual(["203", "502", "200"]);
  expect(shown).toEqual(made);
});

test("a message that two workers sent arrives twice, and both times are shown", async () => {
  expect((await play(["arrives", "arrives"])).shown).toEqual(["201", "200"]);
});

test("every try is shown once, in whatever order a delivery arrives, fails and is sent again", async () => {
  const steps = fc.array(fc.constantFrom<Step>("arrives", "fails", "is sent again"), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const { made, shown } = await play(played);
      expect(shown).toEqual(made);
    }),
    { numRuns: 25 },
  );
});
