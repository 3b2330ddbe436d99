/** Queued work, and who is there to do it. */
import { afterEach, expect, test, vi } from "vitest";
import { settle, shown } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { QueuesPage } from "./queues-page.tsx";

afterEach(() => vi.useRealTimers());

const queue = {
  kind: "webhook_deliveries",
  says: "Events on their way to merchants.",
  environment: "LIVE",
  depth: 3,
  oldestSeconds: 245,
  misdated: 0,
  state: "slow",
};
const worker = {
  id: "p-1",
  role: "worker",
  version: "0.3.0",
  host: "node-1",
  pid: 4711,
  alive: true,
  clockAheadSeconds: 0,
  startedAt: "2026-11-16T18:45:31.284Z",
  heardAt: "2026-11-16T18:45:31.284Z",
};

async function open(queues: unknown, processes: unknown) {
  const server = { queues, processes };
  const asked = replyWith({
    [`GET ${operatorPath}/queues`]: () => server.queues,
    [`GET ${operatorPath}/processes`]: () => server.processes,
  });
  await drawInConsole(<QueuesPage />, { house: "operator" });
  return { server, asked };
}
const panel = (title: string) => {
  const heads = [...document.querySelectorAll("h2")].filter((head) => head.textContent === title);
  return heads[0]?.closest("section")?.textContent ?? "";
};

test("a queue says how much waits, since when, and how bad that is", async () => {
  await open([queue], { processes: [worker], standbys: [] });
  expect(panel("Live")).toContain("Webhook deliveries");
  expect(panel("Live")).toContain("3 · oldest 4 min 5 s");
  expect(panel("Live")).toContain("Slow");
});

test("a queue names what was booked by a wrong clock", async () => {
  await open(
    [
      { ...queue, misdated: 2 },
      { ...queue, environment: "SANDBOX", depth: 0, misdated: 1 },
    ],
    {
      processes: [worker],
      standbys: [],
    },
  );
  expect(panel("Live")).toContain("3 · oldest 4 min 5 s · 2 with a wrong date");
  expect(panel("Sandboxes")).toContain("1 with a wrong date");
});

test("live and sandboxes stand apart, and an empty queue says so", async () => {
  await open([queue, { ...queue, environment: "SANDBOX", depth: 0, oldestSeconds: 0, state: "ok" }], {
    processes: [worker],
    standbys: [],
  });
  expect(panel("Live")).not.toContain("nothing waits");
  expect(panel("Sandboxes")).toContain("nothing waits");
});

test("each process says where it lives; one that fell silent stands out", async () => {
  await open([], { processes: [worker, { ...worker, id: "p-2", role: "all", alive: false }], standbys: [] });
  const rows = panel("Servers and workers");
  expect(rows).toContain("Worker · 0.3.0node-1, process 4711since 16 Nov 2026 19:45:31Alive");
  expect(rows).toContain("Server and worker · 0.3.0");
  expect(rows).toContain("Silent");
});

test("a house without any process says that nobody is there", async () => {
  await open([], { processes: [], standbys: [] });
  expect(shown()).toContain("No process has said that it lives.");
});

test("standbys are shown where there are any, with how far behind they are", async () => {
  const standby = { name: "node-2", connected: true, behindBytes: 16_384, behindSeconds: 1.5 };
  await open([], {
    processes: [worker],
    standbys: [standby, { ...standby, name: "node-3", connected: false, behindSeconds: null }],
  });
  const rows = panel("Standbys of the database");
  expect(rows).toContain("node-21.5 s behind16384 bytes behindConnected");
  expect(rows).toContain("node-316384 bytes behindAway");
});

test("the page looks again by itself", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { server } = await open([queue], { processes: [worker], standbys: [] });
  server.queues = [{ ...queue, depth: 0, state: "ok" }];
  await settle(() => vi.advanceTimersByTime(5_000));
  await expect.poll(() => panel("Live")).toContain("nothing waits");
});

test("queues that cannot be read do not hide the processes", async () => {
  await open(refuse(503, "unavailable", { message: "The database is away." }), { processes: [worker], standbys: [] });
  expect(shown()).toContain("The database is away.");
  expect(panel("Servers and workers")).toContain("node-1");
});
