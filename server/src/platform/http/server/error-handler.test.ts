import { expect, test } from "vitest";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import type { Caller } from "../caller.ts";
import { createHttpServer } from "./server.ts";

const environmentId = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6071";
const recordId = "01932c70-4d5e-7f60-8a1b-2c3d4e5f6072";

test.each([
  ["names the environment and the record of a request that failed", `/transfers/${recordId}`, recordId],
  ["does not write down what is no id", "/transfers/22212345678", undefined],
])("the log %s", async (_, url, named) => {
  const lines: string[] = [];
  const log = createLogger({ level: "warn", destination: { write: (line) => lines.push(line) } });
  const app = createHttpServer({ log, metrics: createMetrics({ sources: [] }), trustProxy: false });
  app.get("/transfers/:id", (request) => {
    request.caller = { environmentId } as Caller;
    throw new Error("a bug");
  });
  const reply = await app.inject(url);
  expect(reply.statusCode).toBe(500);
  const requestId = reply.headers["x-request-id"];
  const about = { level: "error", requestId, environmentId, route: "/transfers/:id" };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([about]);
  expect(JSON.parse(lines[0] ?? "").recordId).toBe(named);
  await app.close();
});
