/** Commands that look: doctor, trace, completion, and what trigger says without playing anything. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jara, liveKey, refusal } from "../../testing/in-process.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("doctor", () => {
  const ready =
    (headers: Record<string, string> = {}) =>
    () =>
      new Response("ok", { headers });
  const balance = { "GET /wallets/balance": () => ({ accountId: "w-1", available: 1_000_000.5, held: 0 }) };

  test("finds a sound house sound", async () => {
    const { code, out } = await jara("doctor", { replies: { ...balance, "GET /readyz": ready() } });
    expect(code).toBe(0);
    expect(out).not.toContain("✗");
    expect(out).toContain("opens a sandbox with NGN 1,000,000.50");
  });

  test("says LIVE where the key is a live one", async () => {
    const { out } = await jara("doctor --live", {
      env: { JARA_SECRET_KEY: liveKey },
      replies: { ...balance, "GET /readyz": ready() },
    });
    expect(out).toContain("opens LIVE with");
  });

  test("a server that is away has its code and its cure, and no key is tried", async () => {
    const { code, out, asked } = await jara("doctor", {
      replies: {
        "GET /readyz": () => {
          throw new TypeError("fetch failed");
        },
      },
    });
    expect(code).toBe(3);
    expect(out).toContain("nothing replies at http://jara.test");
    expect(out).toContain("Start it with npm start");
    expect(asked.map(({ path }) => path)).toEqual(["/readyz"]);
  });

  test("a server that cannot serve is told with its status", async () => {
    const { code, out } = await jara("doctor", { replies: { "GET /readyz": () => new Response("", { status: 503 }) } });
    expect(code).toBe(5);
    expect(out).toContain("is there and cannot serve (503)");
  });

  test("a clock that is apart is told: signatures would be refused", async () => {
    const date = new Date(Date.now() - 600_000).toUTCString();
    const { code, out } = await jara("doctor", { replies: { ...balance, "GET /readyz": ready({ date }) } });
    expect(code).toBe(5);
    expect(out).toMatch(/(599|600|601) s apart from the server's/);
  });

  test("a wrong key is told in the server's words, by the code for keys", async () => {
    const { code, out } = await jara("doctor", {
      replies: { "GET /readyz": ready(), "GET /wallets/balance": () => refusal(401, "invalid_key", "Not that key.") },
    });
    expect(code).toBe(4);
    expect(out).toContain("Not that key.");
    expect(out).toContain("Give the right one with --key or JARA_SECRET_KEY.");
  });

  test("JSON has each finding for scripts", async () => {
    const { out } = await jara("doctor --json", { replies: { ...balance, "GET /readyz": ready() } });
    const findings = JSON.parse(out) as { what: string; isGood: boolean }[];
    expect(findings.map(({ what }) => what)).toEqual(["node", "disk", "home", "server", "clock", "key"]);
    expect(findings.every(({ isGood }) => isGood)).toBe(true);
  });
});

describe("trace", () => {
  const step = {
    at: "2026-11-16T23:30:00.000Z",
    kind: "request",
    title: "A payout was ordered",
    ok: true,
    detail: { status: 201, code: null },
    ids: { request: "req_1" },
  };
  const trace = {
    id,
    kind: "transfer",
    steps: [
      step,
      {
        ...step,
        at: "2026-11-16T23:30:00.350Z",
        kind: "posting",
        title: "Held",
        detail: { legs: [{ account: "wallet", amount: -2_500 }] },
        ids: {},
      },
      {
        ...step,
        at: "2026-11-16T23:31:00.350Z",
        kind: "rail",
        title: "Refused",
        ok: false,
        detail: { failure: { code: "closed", why: null } },
        ids: {},
      },
    ],
  };
  const replies = { [`GET /traces/${id}`]: () => trace };

  test("is a tree of steps, each with the time since the one before", async () => {
    const { code, out } = await jara(`trace ${id}`, { replies });
    expect(code).toBe(0);
    const lines = out.split("\n");
    expect(lines[0]).toBe(`transfer ${id}`);
    expect(lines[1]).toMatch(/^├─ ✓ 17 Nov.*00:30:00 {2}request: A payout was ordered$/);
    expect(lines).toContainEqual(expect.stringMatching(/^├─ ✓ \+350ms {2,}posting: Held$/));
    expect(lines).toContainEqual(expect.stringMatching(/wallet -2500$/));
    expect(lines).toContainEqual(expect.stringMatching(/^└─ ✗ \+1m .*rail: Refused$/));
    expect(lines).toContainEqual(expect.stringMatching(/failure code=closed$/));
  });

  test("a narrow terminal gets the beginning of each line", async () => {
    const { out } = await jara(`trace ${id}`, { replies, columns: 30 });
    expect(
      out
        .split("\n")
        .slice(1)
        .every((line) => line.length <= 30),
    ).toBe(true);
    expect(out).toContain("…");
  });

  const find = (number: number) => ({
    kind: "transfer",
    id: `t-${number}`,
    title: "order-7",
    subtitle: "",
    status: null,
  });

  test("a reference is looked for, and one that several records have is asked about", async () => {
    const one = await jara("trace order-7", {
      replies: { "GET /search": () => [find(1)], "GET /traces/t-1": () => ({ ...trace, steps: [] }) },
    });
    expect(one.out).toContain("Nothing is stored about it.");
    const several = await jara("trace order-7", { replies: { "GET /search": () => [find(1), find(2)] } });
    expect(several.code).toBe(2);
    expect(several.err).toContain("jara trace t-2  (transfer)");
  });

  test("what nobody knows is refused by the server, in its words", async () => {
    const { code, err } = await jara("trace order-9", {
      replies: {
        "GET /search": () => [],
        "GET /traces/order-9": () => refusal(404, "trace_not_found", "Nothing has this id."),
      },
    });
    expect(code).toBe(5);
    expect(err).toContain("Nothing has this id.");
  });
});

describe("completion", () => {
  test.each(["bash", "zsh", "fish"])("%s knows events and states where only they can follow", async (shell) => {
    const { out } = await jara(`completion ${shell}`);
    const line = (start: string) =>
      out
        .split("\n")
        .filter((one) => one.includes(start))
        .join("\n");
    expect(line(shell === "fish" ? "-a transfer.completed" : '"trigger")')).toContain("transfer.completed");
    expect(line(shell === "fish" ? "-l events " : '"listen --events")')).toContain("wallet.opened");
    expect(out).toContain("written_off");
  });

  test.each(["bash", "zsh", "fish"])("for %s names every group of commands", async (shell) => {
    const { code, out, asked } = await jara(`completion ${shell}`);
    expect(code).toBe(0);
    for (const word of ["listen", "transfers", "wallets", "clock", "archive", "completion"])
      expect(out).toContain(word);
    expect(asked).toEqual([]);
  });

  test("after a group come its commands, and options that take a value are known", async () => {
    const { out } = await jara("completion bash");
    expect(out).toContain('"transfers") words="create list show');
    expect(out).toMatch(/valued=" .*--amount /);
    expect(out).not.toMatch(/valued=" [^"]*--json /);
  });

  test.each(["tcsh", "constructor"])("for %s is refused with those that there are", async (shell) => {
    const { code, err } = await jara(`completion ${shell}`);
    expect([code, err]).toEqual([2, `"${shell}" is not one of bash, zsh and fish.`]);
  });
});

describe("trigger", () => {
  test("alone lists what can be played, and asks for nothing", async () => {
    const { code, out, asked } = await jara("trigger");
    expect(code).toBe(0);
    expect(out).toContain("transfer.completed");
    expect(asked).toEqual([]);
  });

  test.each(["transfer.complete", "transfers.completed"])(
    "%s asks whether transfer.completed was meant",
    async (name) => {
      const { code, err, asked } = await jara(`trigger ${name}`);
      expect(code).toBe(2);
      expect(err).toContain("transfer.completed");
      expect(asked).toEqual([]);
    },
  );

  test.each(["__proto__", "constructor", "toString"])("%s is no event", async (name) => {
    expect((await jara(`trigger ${name}`)).code).toBe(2);
  });

  test("plays in a sandbox only", async () => {
    const { code, asked } = await jara("trigger transfer.completed --live", { env: { JARA_SECRET_KEY: liveKey } });
    expect(code).toBe(4);
    expect(asked).toEqual([]);
  });
});

test("a file of the server's that is broken is named by every command that needs it", async () => {
  const home = mkdtempSync(join(tmpdir(), "jara-broken-"));
  writeFileSync(join(home, "dev.json"), '{"secretKey":"sk_test_secret');
  const env = { JARA_HOME: home, JARA_SECRET_KEY: "", JARA_BASE_URL: "" };
  for (const words of ["wallets list", "doctor"]) {
    const { code, out, err } = await jara(words, { env });
    expect(code).not.toBe(0);
    expect(out + err).toContain(`${join(home, "dev.json")} cannot be read.`);
    expect(out + err).not.toContain("sk_test_secret");
  }
  rmSync(home, { recursive: true });
});
