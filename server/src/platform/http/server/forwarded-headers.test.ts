import pino from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { createMetrics } from "../../metrics.ts";
import { createHttpServer } from "./server.ts";

function serverTrusting(trustProxy: boolean | number) {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(line) });
  const app = createHttpServer({ log, metrics: createMetrics(), trustProxy });
  afterAll(() => app.close());
  const ask = (headers: Record<string, string> = {}) => app.inject({ method: "GET", url: "/", headers });
  return { lines, ask };
}

describe("forwarded headers", () => {
  test.each(["x-forwarded-for", "forwarded"])(
    "%s without TRUST_PROXY is warned of once, and says what to set",
    async (name) => {
      const { lines, ask } = serverTrusting(false);
      await ask();
      expect(lines).toEqual([]);
      await ask({ [name]: "203.0.113.7" });
      await ask({ [name]: "203.0.113.7" });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain("set TRUST_PROXY to the number of proxies");
    },
  );

  test("are as they should be where TRUST_PROXY is set", async () => {
    const { lines, ask } = serverTrusting(1);
    await ask({ "x-forwarded-for": "203.0.113.7" });
    expect(lines).toEqual([]);
  });
});
