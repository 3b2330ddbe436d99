/** What moves money, when the reply, the server or the person goes away in the middle. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFaultServer, cut, good, hang } from "../../sdk/testing/fault-server.ts";
import { createJara } from "./jara-process.ts";

const server = await createFaultServer();
const jara = createJara({ JARA_BASE_URL: server.baseUrl, JARA_SECRET_KEY: "sk_test_x" });
const payout = ["transfers", "create", "--bank", "058", "--account", "0123456789", "--amount", "100"];
const record = (status: string) =>
  good({
    id: "t-1",
    status,
    amount: 100,
    totalDebit: 110.75,
    accountNumber: "0123456789",
    reference: "r-1",
    failureReason: null,
    createdAt: "2026-11-17T09:00:00Z",
  });

describe("a payout", () => {
  test("whose reply is lost may have happened, and is found by the reference that it was given", async () => {
    server.play(cut);
    const { code, err, out } = await jara.run(...payout);
    expect([code, out]).toEqual([6, ""]);
    const sent = new Set(server.arrived.map(({ body }) => JSON.parse(body).reference as string));
    expect(sent.size).toBe(1);
    expect(err).toContain(`It may have happened. Look before you try again: jara transfers show ${[...sent][0]}`);
  });

  test("that fails ends with a code of its own", async () => {
    server.play(record("pending"), record("failed"));
    const { code, out } = await jara.run(...payout, "--wait", "--reference", "r-1");
    expect(code).toBe(8);
    expect(out).toContain("failed");
  });

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`that is still on its way at ${signal} is shown, with the way to its end`, async () => {
      server.play(record("pending"), hang);
      const running = jara.start(...payout, "--wait", "--reference", "r-1");
      await expect.poll(() => server.arrived.at(-1)?.method).toBe("GET");
      running.child.kill(signal);
      const ended = await running.ended();
      expect(ended.code).toBe(code);
      expect(ended.out).toContain("pending");
      expect(ended.err).toContain("How it ends: jara transfers show r-1");
    });
  }

  test("is waited for while the server restarts", async () => {
    server.play(record("pending"), cut, cut, cut, cut, cut, record("completed"));
    expect(await jara.run(...payout, "--wait", "--reference", "r-1")).toMatchObject({
      code: 0,
      out: expect.stringContaining("completed"),
    });
  });
});

test("Ctrl-C ends a question to a server that hangs at once", async () => {
  server.play(hang);
  const running = jara.start("wallets", "list");
  await expect.poll(() => server.arrived.length).toBeGreaterThan(0);
  const began = performance.now();
  running.child.kill("SIGINT");
  expect(await running.ended()).toMatchObject({ code: 130, err: "Stopped.\n" });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("a file of ours that somebody broke is named, and not shown", async () => {
  writeFileSync(join(jara.home, "dev.json"), '{"secretKey":"sk_test_hidden');
  const alone = await jara.run("doctor");
  expect(alone.out).toContain("dev.json cannot be read. Delete it");
  expect(alone.out + alone.err).not.toContain("hidden");
  const without = createJara({ JARA_BASE_URL: server.baseUrl });
  mkdirSync(without.home, { recursive: true });
  writeFileSync(join(without.home, "dev.json"), "null{");
  expect(await without.run("wallets", "list")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(/^\S+dev\.json cannot be read\. [^\n]+\n$/),
  });
});
