import type { LoggedRequest } from "@jara/sdk";
import { describe, expect, test } from "vitest";
import { createScreen, plain } from "../screen.ts";
import { isWanted, linesOf, recordsIn } from "./logs.ts";

const request: LoggedRequest = {
  id: "req_8Zk2mQ0xLw1Qr4s",
  at: "2026-11-16T18:41:02.120Z",
  method: "POST",
  route: "/loans/bnpl/customers/{customerId}/loans",
  path: "/loans/bnpl/customers/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11/loans?expand=everything",
  status: 422,
  code: "validation_failed",
  durationMs: 12,
  keyId: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
  keyPrefix: "sk_test_1a2b",
  idempotencyKey: null,
  userAgent: null,
  warning: null,
  replayed: false,
  recordId: null,
  requestBody: null,
  responseBody: null,
};

function drawn(columns: number | undefined, color: boolean, change: Partial<LoggedRequest> = {}): string[] {
  const out = { write: () => true, ...(columns === undefined ? {} : { columns }) };
  return linesOf(createScreen({ out, err: out, color }), { ...request, ...change });
}

describe("a request on the screen", () => {
  test("a pipe gets it whole, on one line", () => {
    expect(drawn(undefined, false)).toEqual([
      `19:41:02  422  POST    ${request.path}  validation_failed     12 ms  ${request.id}`,
    ]);
  });

  test.each([40, 60, 79, 80, 100, 200])("%d columns are enough, with colour and without", (columns) => {
    for (const change of [{}, { code: null, status: 200, path: "/transfers" }, { status: 500 }]) {
      const lines = drawn(columns, true, change);
      expect(lines.map(plain)).toEqual(drawn(columns, false, change));
      for (const line of lines) expect(plain(line).length).toBeLessThanOrEqual(columns);
      expect(lines.map(plain).join(" ")).toContain("19:41:02");
      expect(lines.map(plain).join(" ")).toContain(request.id);
    }
  });

  test("40 columns show time, status, method, how the path begins, the code and the id", () => {
    expect(drawn(40, false)).toEqual([
      "19:41:02  422  POST   /loans/bnpl/custo…",
      "  validation_failed",
      `  ${request.id}  12 ms`,
    ]);
    expect(drawn(40, false, { code: null })).toHaveLength(2);
    expect(drawn(80, false, { code: null })).toHaveLength(1);
    expect(drawn(120, false)).toHaveLength(1);
  });
});

test.each([
  [{}, true],
  [{ status: "4xx" }, true],
  [{ status: "422" }, true],
  [{ status: "5xx" }, false],
  [{ status: "404" }, false],
  [{ method: "POST", path: "/loans" }, true],
  [{ method: "GET" }, false],
  [{ path: "/transfers" }, false],
])("%j wants it: %s", (filters, wanted) => {
  expect(isWanted(request, filters)).toBe(wanted);
});

test("records are told once, and the request is not one of them", () => {
  const step = { at: request.at, kind: "state", title: "Accepted", ok: true, detail: {} } as const;
  const steps = [
    { ...step, ids: { request: "req_1", record: "a" } },
    { ...step, ids: { transfer: "a" } },
    { ...step, ids: { transfer: "a", transaction: "b" } },
  ];
  expect(recordsIn({ steps })).toEqual([
    { kind: "transfer", id: "a" },
    { kind: "transaction", id: "b" },
  ]);
});
