import { describe, expect, test } from "vitest";
import { createFaultServer, good, hang } from "../../testing/fault-server.ts";
import { Jara, JaraStillWaitingError, JaraTimeoutError, waitUntil } from "../index.ts";

const server = await createFaultServer();
const jara = new Jara({ secretKey: "sk_test_x", baseUrl: server.baseUrl });
const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("waiting", () => {
  test("asks again with growing pauses, and returns what was waited for", async () => {
    const processing = good({ status: "processing" });
    server.play(processing, processing, good({ status: "failed" }));
    expect(await jara.transfers.waitUntilFinal("t")).toEqual({ status: "failed" });
    expect(server.arrived).toHaveLength(3);
  });

  test("ends in time although nothing ever comes back", async () => {
    server.play(hang);
    const started = Date.now();
    expect(await caught(jara.bills.waitUntilFinal("b", { timeoutMs: 100 }))).toBeInstanceOf(JaraTimeoutError);
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  test("asks at least once, and says what it saw last", async () => {
    const error = await caught(
      waitUntil(
        async () => "pending",
        () => false,
        { timeoutMs: 0 },
      ),
    );
    expect(error).toBeInstanceOf(JaraStillWaitingError);
    expect(error).toMatchObject({ last: "pending", message: expect.stringContaining("Nothing has failed") });
  });

  test("is over at once when the caller gives up", async () => {
    const stop = new AbortController();
    const waiting = caught(
      waitUntil(
        async () => stop.abort(new Error("enough")),
        () => false,
        { signal: stop.signal },
      ),
    );
    expect(await waiting).toMatchObject({ message: "enough" });
  });
});
