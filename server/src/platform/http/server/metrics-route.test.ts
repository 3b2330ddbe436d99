import { describe, expect, onTestFinished, test } from "vitest";
import { silentLog } from "../../../../testing/work.ts";
import { findFreePort } from "../../embedded-postgres/postmaster.ts";
import { createMetrics } from "../../metrics.ts";
import { type MetricsAccess, registerMetrics, startMetricsServer } from "./metrics-route.ts";
import { createHttpServer } from "./server.ts";

const token = "reads-figures-only-0123456789";
const metrics = createMetrics({
  sources: [{ name: "jara_seen", help: "Seen.", labelNames: [], read: () => [{ labels: {}, value: 1 }] }],
});

async function read(access: MetricsAccess, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") {
  const app = createHttpServer({ log: silentLog, metrics, trustProxy: false });
  onTestFinished(() => app.close());
  registerMetrics(app, metrics, access);
  const { statusCode, body } = await app.inject({ url: "/metrics", headers, remoteAddress });
  return { statusCode, seen: body.includes("jara_seen 1") };
}

const open = { statusCode: 200, seen: true };
const bearer = (given: string) => ({ authorization: `Bearer ${given}` });

describe("/metrics", () => {
  test.each([
    ["is open to this machine", { to: "loopback" }, {}, "127.0.0.1", open],
    ["is open to this machine by version 6", { to: "loopback" }, {}, "::ffff:127.0.0.1", open],
    ["is closed to other machines", { to: "loopback" }, {}, "203.0.113.7", { statusCode: 404, seen: false }],
    ["is closed to everybody", { to: "nobody" }, {}, "127.0.0.1", { statusCode: 404, seen: false }],
    ["is open to a token from anywhere", { to: "holder", token }, bearer(token), "203.0.113.7", open],
    ["is closed without the token", { to: "holder", token }, {}, "127.0.0.1", { statusCode: 401, seen: false }],
    [
      "is closed to another token",
      { to: "holder", token },
      bearer(`${token}x`),
      "127.0.0.1",
      { statusCode: 401, seen: false },
    ],
  ] as const)("%s", async (_, access, headers, address, expected) => {
    expect(await read(access, headers, address)).toEqual(expected);
  });
});

describe("a port of its own", () => {
  test("serves the figures and nothing else, to the holder of the token", async () => {
    const port = await findFreePort();
    const close = await startMetricsServer(metrics, { to: "holder", token }, { host: "127.0.0.1", port });
    onTestFinished(close);
    const at = `http://127.0.0.1:${port}`;
    const page = await fetch(`${at}/metrics`, { headers: bearer(token) });
    expect([page.status, (await page.text()).includes("jara_seen 1")]).toEqual([200, true]);
    expect((await fetch(`${at}/metrics`)).status).toBe(401);
    expect((await fetch(`${at}/healthz`)).status).toBe(404);
    expect((await fetch(`${at}/metrics`, { method: "POST", headers: bearer(token) })).status).toBe(404);
  });

  test("needs no token where none is set, and a port that is taken is an error", async () => {
    const port = await findFreePort();
    const close = await startMetricsServer(metrics, { to: "anybody" }, { host: "127.0.0.1", port });
    onTestFinished(close);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
    await expect(startMetricsServer(metrics, { to: "anybody" }, { host: "127.0.0.1", port })).rejects.toThrow(
      "EADDRINUSE",
    );
  });
});
