import { expect, test } from "vitest";
import { createMetrics, poolGauge } from "./metrics.ts";

test("requests are counted by method, route pattern and status", async () => {
  const metrics = createMetrics();
  metrics.observeRequest("POST", "/transfers/:id", 201, 0.004);
  metrics.observeRequest("POST", "/transfers/:id", 201, 0.004);
  const page = await metrics.render();
  expect(page).toContain(
    'jara_http_request_duration_seconds_count{method="POST",route="/transfers/:id",status="201"} 2',
  );
  expect(page).toContain('le="0.005",method="POST",route="/transfers/:id",status="201"} 2');
});

test("the pool shows its connections by state", async () => {
  const metrics = createMetrics({ sources: [poolGauge({ totalCount: 5, idleCount: 2, waitingCount: 7 })] });
  const page = await metrics.render();
  expect(page).toContain('jara_database_connections{state="busy"} 3');
  expect(page).toContain('jara_database_connections{state="idle"} 2');
  expect(page).toContain('jara_database_connections{state="waiting"} 7');
});

test("a source that fails is told and leaves the rest readable", async () => {
  const failed: string[] = [];
  const broken = {
    name: "jara_broken",
    help: "Broken.",
    labelNames: [],
    read: () => Promise.reject(new Error("away")),
  };
  const metrics = createMetrics({ sources: [broken], onSourceError: (name) => failed.push(name) });
  metrics.observeRequest("GET", "/healthz", 200, 0.001);
  expect(await metrics.render()).toContain('route="/healthz"');
  expect(failed).toEqual(["jara_broken"]);
});
