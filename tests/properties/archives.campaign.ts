/**
 * Random lives of a sandbox with payouts, deliveries that arrive or fail, resends, time that passes, and archive runs
 * that are cut short anywhere: every event is online, or it is in exactly one archive file, the same to the byte; what
 * readers and `verify` see is whole at every moment.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ArchiveLimits, usualLimits } from "../../server/src/archives/archive-events.ts";
import { readArchiveFiles, readStored } from "../../server/src/archives/archive-store.ts";
import { readEnvironment } from "../../server/src/platform/database/database.ts";
import { readEventFloor } from "../../server/src/platform/records/event-floor.ts";
import { sequenceEvents } from "../../server/src/platform/records/sequencer.ts";
import { house } from "../../server/src/start/slices.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { ageAttempts, createArchiveFolder, createPast, type Past } from "../../server/testing/archives/archiving.ts";
import { createReceiver } from "../../server/testing/webhooks/webhook-receiver.ts";
import { addEndpoint, createTestSender, sendDue } from "../../server/testing/webhooks/webhooks.ts";

const app = await createTestApp({ requestLogDays: 0 });
const { db } = app;
const folder = await createArchiveFolder(app);
const sender = createTestSender(app);
let answers = true;
const receiver = await createReceiver((reply) => reply.writeHead(answers ? 200 : 500).end("seen"));

const cuts = ["before it is written", "before it is read", "before the commit", "before rows go", "nowhere"] as const;
type Cut = (typeof cuts)[number];

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant("pay" as const), fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("deliver" as const), arrives: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("wait" as const), days: fc.integer({ min: 5, max: 70 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("resend" as const), which: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("archive" as const),
      cut: fc.constantFrom(...cuts),
      events: fc.integer({ min: 1, max: 6 }),
      atOnce: fc.integer({ min: 1, max: 4 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let made = 0;

async function play(past: Past, one: Step): Promise<void> {
  if (one.does === "wait") return past.advance({ days: one.days });
  if (one.does === "archive") return archive(one.cut, one);
  if (one.does === "resend") {
    const { data } = (await past.ask("GET", "/events?limit=100")).json();
    const { id } = data[one.which % Math.max(1, data.length)] ?? {};
    if (id !== undefined) expect((await past.ask("POST", `/events/${id}/redeliver`, {})).statusCode).toBe(202);
    return;
  }
  if (one.does === "pay") {
    made += 1;
    const reference = `archived-${made}${one.fails ? "_FAIL" : ""}`;
    const body = { accountNumber: "0690000032", bankCode: "044", amount: 100, currency: "NGN", reference };
    expect((await past.ask("POST", "/transfers", body)).statusCode).toBe(201);
    while ((await sequenceEvents(db)) > 0);
    return;
  }
  answers = one.arrives;
  await sendDue(app, sender);
  // What was tried within the last hour of real time stays.
  await ageAttempts(app.ownerUrl);
}

/** One pass of a worker, which is killed at this place. */
async function archive(cut: Cut, sizes: Pick<ArchiveLimits, "events" | "atOnce">): Promise<void> {
  const kill = () => Promise.reject(new Error("killed"));
  const { shelf } = folder;
  const cutShelf = {
    put: cut === "before it is written" ? kill : shelf.put,
    read: cut === "before it is read" ? kill : shelf.read,
    putAside: cut === "before the commit" ? kill : shelf.putAside,
  };
  let asked = 0;
  const limits = {
    bytes: usualLimits.bytes,
    events: sizes.events,
    atOnce: sizes.atOnce,
    get restMs(): number {
      asked += 1;
      // It is read once before the file is written, and again when its rows are to go.
      if (cut === "before rows go" && asked > 1) throw new Error("killed");
      return 0;
    },
  };
  await folder.runWith(limits, cutShelf);
}

/** Online events by position, and the files that count. */
const look = (past: Past) =>
  readEnvironment(db, past.environmentId, async (tx) => {
    const floor = await readEventFloor(tx);
    const online = await readStored(tx, floor.position, 10_000);
    const files = await readArchiveFiles(tx, 1n, floor.position);
    const differences = await house.verify(tx);
    return {
      floor: floor.position,
      online: new Map(online.map((e) => [Number(e.position), e.line])),
      files,
      differences,
    };
  });

type Seen = Awaited<ReturnType<typeof look>>;

function note(lines: Map<number, string>, { online }: Seen): void {
  for (const [position, line] of online) lines.set(position, line);
}

async function judge(past: Past, lines: ReadonlyMap<number, string>, seen: Seen): Promise<void> {
  const { floor, online, files, differences } = seen;
  expect(differences).toEqual([]);
  const filed = await folder.filed(past.environmentId);
  const counting = filed.filter(({ file }) => files.includes(`${past.environmentId}/${file}`));
  // Below the floor: in one file that counts, as it was last seen online.
  expect(counting.map(({ position }) => position)).toEqual(Array.from({ length: Number(floor) }, (_, at) => at + 1));
  for (const { position, line } of counting) expect(line).toBe(lines.get(position));
  // A file that does not count has nothing that is not online too, or in one that counts.
  for (const { position } of filed) expect(position <= floor || online.has(position)).toBe(true);
  const { totalItems } = (await past.ask("GET", "/events")).json().pagination;
  expect([totalItems, lines.size]).toEqual([online.size, online.size + Number(floor)]);
}

test("every event is online or in exactly one file, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      const past = await createPast(app, "2020-01-20T08:00:00.000Z");
      await addEndpoint(app, receiver.url, {}, past.key);
      expect((await past.ask("POST", "/sandbox/wallets/fund", { amount: 100_000 })).statusCode).toBe(201);
      const lines = new Map<number, string>();
      for (const one of steps) {
        await play(past, one);
        const seen = await look(past);
        if (one.does !== "archive") note(lines, seen);
        await judge(past, lines, seen);
      }
      // Years later, and undisturbed, everything that is settled goes.
      await play(past, { does: "deliver", arrives: true });
      await past.advance({ days: 400 });
      await play(past, { does: "deliver", arrives: true });
      note(lines, await look(past));
      while ((await folder.run()) > 0);
      const last = await look(past);
      await judge(past, lines, last);
      expect(last.online.size).toBe(0);
      const positions = (await folder.filed(past.environmentId)).map(({ position }) => position);
      expect(positions).toEqual(Array.from({ length: lines.size }, (_, at) => at + 1));
    }),
    { numRuns: 4 },
  );
});
