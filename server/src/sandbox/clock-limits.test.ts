/** What a sandbox's clock refuses: to be moved by two at once, to leave the calendar, to run too much in one request. */
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { schedule } from "../platform/work/agenda.ts";
import type { Task } from "../platform/work/jobs.ts";

const kind = "test.note";
const ran: string[] = [];
const handle = async ({ subject }: Task): Promise<void> => void ran.push(subject);
const { appUrl, call, db, merchant } = await createTestApp({ kinds: new Map([[kind, { handle }]]), mostEntries: 20 });
const environmentId = merchant.environment.id;

const freeze = () =>
  call("PUT", "/sandbox/clock", { body: { mode: "frozen", now: "2026-11-01T06:00:00.000Z", seed: "s" } });
const advance = (body: object) => call("POST", "/sandbox/clock/advance", { body });

test("a clock that somebody moves cannot be set", async () => {
  const rival = createEnvironmentLocks({ url: appUrl });
  const reply = await rival.hold(environmentId, freeze);
  await rival.close();
  expect([reply?.statusCode, reply?.json().code]).toEqual([409, "clock_moving"]);
});

test("an advance does not leave the calendar", async () => {
  await freeze();
  expect((await advance({ to: "2100-01-01T00:00:00.000Z" })).json().code).toBe("clock_out_of_range");
});

test("an advance runs no more than one request can, and the next goes on from there", async () => {
  await freeze();
  const dueAt = new Date("2026-11-01T07:00:00.000Z");
  const entries = Array.from({ length: 21 }, (_, index) => ({ kind, subject: `task-${index}`, dueAt }));
  await inEnvironment(db, environmentId, (tx) => schedule(tx, entries));
  const reply = await advance({ days: 1 });
  expect([reply.statusCode, reply.json().code, reply.json().data.ran]).toEqual([422, "clock_too_much_due", 20]);
  expect((await advance({ days: 1 })).statusCode).toBe(200);
  expect(new Set(ran).size).toBe(21);
});
