/** Files that anybody may load: small on the wire, asked for once, and no faster than an address may ask. */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { createApp } from "./start/app.ts";

const testing = await createTestApp();
const { app } = testing;
const files = ["/openapi.json", "/openapi.operator.json", "/docs/openapi.json", "/docs/reference", "/docs/scalar.js"];

const get = (url: string, headers: Readonly<Record<string, string>> = {}, at = app) => at.inject({ url, headers });

describe.each(files)("%s", (url) => {
  test("is sent compressed to whom can read that, and is the same for all", async () => {
    const [plain, br, gzip] = [
      await get(url),
      await get(url, { "accept-encoding": "gzip, br" }),
      await get(url, { "accept-encoding": "gzip" }),
    ];
    expect([br.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.headers["vary"]).toContain("accept-encoding");
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  test("is not sent again to whom has it", async () => {
    const { etag = "" } = (await get(url)).headers;
    expect(etag).not.toBe("");
    const again = await get(url, { "if-none-match": String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });
});

describe("an address", () => {
  const limited = createApp({
    ...testing.dependencies,
    config: { ...testing.dependencies.config, rateLimit: 2, trustProxy: 1 },
  });
  afterEach(() => void vi.useRealTimers());
  // Nothing comes back into a bucket while a test runs, however long that takes.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));

  const statusesOf = async (urls: readonly string[], address: string) => {
    const at = await limited;
    const statuses: number[] = [];
    for (const url of urls) statuses.push((await get(url, { "x-forwarded-for": address }, at)).statusCode);
    return statuses;
  };

  test("loads files at the rate of a key, and its neighbour does not notice", async () => {
    expect(await statusesOf([...files, ...files].slice(0, 6), "203.0.113.1")).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await statusesOf(["/openapi.json"], "203.0.113.2")).toEqual([200]);
  });

  test("may ask how the process is as often as it likes", async () => {
    const statuses = await statusesOf(Array<string>(20).fill("/healthz"), "203.0.113.3");
    expect(new Set(statuses)).toEqual(new Set([200]));
    await (await limited).close();
  });
});
