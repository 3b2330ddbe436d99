/** Any request with the key: what goes out is what was written, and what comes back is printed. */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { jara, liveKey, refusal } from "../../testing/in-process.ts";

describe("jara get", () => {
  test("prints the whole reply, with what stands beside data", async () => {
    const body = { status: true, message: "Transfers retrieved", data: [{ id: "t-1" }], pagination: { totalItems: 1 } };
    const { code, out, err, asked } = await jara("get transfers?limit=1", {
      replies: { "GET /transfers": () => Response.json(body) },
    });
    expect([code, JSON.parse(out), err]).toEqual([0, body, ""]);
    expect(out).toContain('\n  "data": [');
    expect(asked[0]).toMatchObject({ path: "/transfers?limit=1", body: undefined });
    expect(asked[0]?.headers.get("authorization")).toMatch(/^Bearer sk_test_A+$/);
  });

  test("prints what is not JSON as it is", async () => {
    const csv = () => new Response("date,amount\n2026-11-19,5\n");
    expect((await jara("get /wallets/transactions", { replies: { "GET /wallets": csv } })).out).toBe(
      "date,amount\n2026-11-19,5\n",
    );
  });

  test.each(["https://evil.example/transfers", "HTTP://jara.test/transfers"])("sends no key to %s", async (address) => {
    const { code, asked } = await jara(["get", address]);
    expect([code, asked]).toEqual([2, []]);
  });

  test("stays at the server, whatever the path looks like", async () => {
    for (const path of ["@evil.example/x", "//evil.example/x", "\\\\evil.example"]) {
      await jara(["get", path], { replies: { "GET /": () => ({}) } });
    }
    expect((await jara(["get", "@evil.example/x"], { replies: { "GET /": () => ({}) } })).asked[0]?.path).toBe(
      "/@evil.example/x",
    );
  });

  test("wants --live for a live key", async () => {
    expect((await jara(`get /transfers --key ${liveKey}`)).code).toBe(4);
  });
});

describe("jara post", () => {
  const replies = { "POST /transfers": () => ({ id: "t-1" }) };

  test("sends the body of -d, of a file, and nothing but an empty one without it", async () => {
    const file = join(tmpdir(), `jara-body-${process.pid}.json`);
    writeFileSync(file, '{"amount": 2}');
    onTestFinished(() => rmSync(file));
    const sent = async (...words: string[]) => (await jara(["post", "/transfers", ...words], { replies })).asked[0];
    expect((await sent("-d", '{"amount":1}'))?.body).toEqual({ amount: 1 });
    expect((await sent("-d", `@${file}`))?.body).toEqual({ amount: 2 });
    expect((await sent())?.body).toEqual({});
    expect((await sent("--idempotency-key", "mine"))?.headers.get("idempotency-key")).toBe("mine");
    expect((await sent())?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("sends the body of standard input", async () => {
    const { asked } = await jara("post /transfers -d @-", { replies, typed: '{"amount":3}' });
    expect(asked[0]?.body).toEqual({ amount: 3 });
  });

  test.each([
    ["{amount:1}", "is not JSON"],
    ["@/nowhere/body.json", "cannot be read (ENOENT)"],
  ])("refuses -d %s before anything is sent", async (data, says) => {
    const { code, err, asked } = await jara(["post", "/transfers", "-d", data]);
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain(says);
  });

  test.each([
    [422, 5],
    [401, 4],
    [500, 5],
  ])("a refusal with %d shows status and problem, prints nothing and ends with %d", async (status, exit) => {
    const errors = [{ field: "amount", message: "is required" }];
    const detail = { errors, data: { short: 5 } };
    const { code, out, err } = await jara("post /transfers", {
      replies: { "POST /transfers": () => refusal(status, "some_code", "No.", detail) },
    });
    expect([code, out]).toEqual([exit, ""]);
    expect(err.split("\n")).toEqual([
      `HTTP ${status}. No.`,
      "  amount is required",
      "  {",
      '    "short": 5',
      "  }",
      "  some_code, request req_1",
      "  http://jara.test/docs/errors#some_code",
    ]);
  });

  test("a reply that is lost leaves the key that makes it safe to send again", async () => {
    const { code, err } = await jara("post /transfers --idempotency-key mine", {
      replies: {
        "POST /transfers": () => {
          throw new TypeError("terminated");
        },
      },
    });
    expect(code).toBe(6);
    expect(err).toContain("--idempotency-key mine");
  });
});
