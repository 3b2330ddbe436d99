/** Runs and exceptions as operators read them: on the wire, and in a file. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import type { ProviderRecord } from "../rails/provider.ts";
import {
  type KeptException,
  keepOurs,
  keepTheirs,
  type OurOrder,
  type Reconciliation,
  reconciliationStates,
  subjectOf,
} from "./reconciliation.ts";
import { exampleException, exceptionCsvHeader, exceptionCsvLine } from "./routes.ts";
import { leaseMs, mostRows, startGuard, UnreadableDay, unreadable } from "./run-limits.ts";
import {
  exceptionData,
  koboOf,
  listQuery,
  presentException,
  presentReconciliation,
  reconciliationData,
  resolveBody,
  startBody,
} from "./schemas.ts";

const id = "01932c61-2b3c-7d4e-8f50-617283940a5b";
const at = new Date("2026-11-16T01:00:00.000Z");
const days = (count: number) => new Date(at.getTime() + count * 86_400_000);

const order: OurOrder = {
  kind: "payout",
  type: "transfer",
  environmentId: id,
  id,
  orderId: "order-1",
  reference: "r-1",
  amount: kobo(250_050n),
  state: "success",
  sentAt: at,
  providerReference: "TRF_1",
  fee: kobo(1_000n),
  ledger: kobo(250_050n),
};
const record: ProviderRecord = {
  kind: "payout",
  providerReference: "TRF_1",
  ourId: "order-1",
  status: "success",
  word: "success",
  amount: kobo(250_000n),
  fee: null,
  createdAt: at,
} as ProviderRecord;

describe("a run on the wire", () => {
  const run: Reconciliation = {
    id,
    connectionId: id,
    date: "2026-11-15",
    version: 2,
    state: "exceptions",
    requestedBy: "nightly",
    counts: { orders: 3, records: 2, agreed: 1, waiting: 1, exceptions: 1 },
    totals: [{ kind: "payout", orders: kobo(300n), ledger: kobo(200n), provider: kobo(350n) }],
    failure: null,
    createdAt: at,
    completedAt: at,
  };

  test("shows by how much each book differs, above and below", () => {
    const shown = presentReconciliation(run);
    expect(shown.totals).toEqual([
      { kind: "payout", orders: 3, ledger: 2, provider: 3.5, ordersLessLedger: 1, ordersLessProvider: -0.5 },
    ]);
    expect(complaintsOf(reconciliationData)(shown)).toEqual({});
  });

  test.each(reconciliationStates)("that is %s fits the document, with or without figures", (state) => {
    const shown = presentReconciliation({ ...run, state, counts: null, totals: null, completedAt: null });
    expect(shown).toMatchObject({ state, counts: null, totals: [], completedAt: null });
    expect(complaintsOf(reconciliationData)(shown)).toEqual({});
  });

  test("has differences that come out for any sums", () => {
    const some = fc.bigInt(0n, 10n ** 12n);
    fc.assert(
      fc.property(some, some, some, (orders, ledger, provider) => {
        const totals = [{ kind: "payout", orders: kobo(orders), ledger: kobo(ledger), provider: kobo(provider) }];
        const [total] = presentReconciliation({ ...run, totals }).totals;
        expect(Math.round((total?.ordersLessLedger ?? 0) * 100)).toBe(Number(orders - ledger));
        expect(Math.round((total?.ordersLessProvider ?? 0) * 100)).toBe(Number(orders - provider));
      }),
    );
  });
});

describe("an exception", () => {
  const exception: KeptException = {
    ...exampleException,
    kind: "amount_differs",
    ours: keepOurs(order),
    theirs: keepTheirs(record),
    firstSeenAt: at,
  };

  test("is kept with its figures as digits, which hold any amount", () => {
    expect(exception.ours).toMatchObject({ amount: "250050", fee: "1000", ledger: "250050", status: "success" });
    expect(exception.theirs).toMatchObject({ amount: "250000", fee: null, orderId: "order-1" });
    expect(keepOurs({ ...order, amount: null, fee: null })).toMatchObject({ amount: null, fee: null });
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (amount) => {
        expect(koboOf(keepOurs({ ...order, ledger: kobo(amount) }).ledger)).toBe(amount);
      }),
    );
  });

  test("is shown in naira, and fits the document", () => {
    const shown = presentException(exception, at);
    expect(shown.ours).toMatchObject({ amount: 2_500.5, fee: 10, ledger: 2_500.5 });
    expect(shown.theirs).toMatchObject({ amount: 2_500, fee: null });
    expect(complaintsOf(exceptionData)(shown)).toEqual({});
    expect(complaintsOf(exceptionData)(presentException(exampleException, at))).toEqual({});
  });

  test.each([
    [days(0.99), null, null, 0],
    [days(1), null, null, 1],
    [days(10), days(3), null, 3],
    [days(10), days(5), days(2), 2],
    [days(10), null, days(4), 4],
    [days(-1), null, null, 0],
  ])("seen at %s, closed %s, resolved %s is %i days old", (now, closedAt, resolvedAt, age) => {
    const resolution = resolvedAt === null ? null : { by: "ada", reason: "Paid by hand", at: resolvedAt };
    expect(presentException({ ...exception, closedAt, resolution }, now).ageDays).toBe(age);
  });

  test("is about an order of ours, or about a record that only the provider has", () => {
    expect(subjectOf({ kind: "amount_differs", ours: order, theirs: record })).toBe("payout/order-1");
    expect(subjectOf({ kind: "missing_at_provider", ours: order, theirs: null })).toBe("payout/order-1");
    expect(subjectOf({ kind: "missing_with_us", ours: null, theirs: record })).toBe("payout/at-provider/TRF_1");
  });

  test("in a file has a cell for every name in its header, also where a side is missing", () => {
    const columns = exceptionCsvHeader.trimEnd().split(",");
    for (const one of [exception, exampleException, { ...exception, ours: null }, { ...exception, theirs: null }]) {
      expect(exceptionCsvLine(one, at).trimEnd().split(",")).toHaveLength(columns.length);
    }
    const cells = exceptionCsvLine(exception, days(2)).trimEnd().split(",");
    const cell = (name: string) => cells[columns.indexOf(name)];
    expect(["ourAmount", "ourFee", "theirAmount", "theirFee", "ageDays", "orderId"].map(cell)).toEqual([
      "2500.50",
      "10.00",
      "2500.00",
      "",
      "2",
      "order-1",
    ]);
  });

  test("in a file names the provider's own order where we have none", () => {
    const columns = exceptionCsvHeader.trimEnd().split(",");
    const line = exceptionCsvLine({ ...exception, ours: null }, at)
      .trimEnd()
      .split(",");
    expect(line[columns.indexOf("orderId")]).toBe("order-1");
    expect(line[columns.indexOf("ourAmount")]).toBe("");
  });

  test.each(["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)"])("in a file runs no formula: %s", (text) => {
    const theirs = { ...keepTheirs(record), word: text, providerReference: text };
    const ours = { ...keepOurs(order), reference: text };
    const resolution = { by: text, reason: text, at };
    const line = exceptionCsvLine({ ...exception, ours, theirs, resolution }, at);
    expect(line.split(`'${text}`).length - 1).toBe(5);
    expect(line).not.toMatch(/(^|,)[=+@]/);
  });
});

describe("a run ends", () => {
  test("when a side has more rows than it may read, and not one earlier", () => {
    const guard = startGuard();
    expect(() => guard(mostRows)).not.toThrow();
    expect(() => guard(mostRows + 1)).toThrow(expect.objectContaining({ code: "day_too_large" }));
  });

  test("well before another worker takes it for dead", () => {
    expect(leaseMs).toBeGreaterThanOrEqual(2 * 10 * 60_000);
  });

  test("with the words of what went wrong, and what to do", () => {
    const cause = new Error("Paystack returned 502");
    expect(unreadable(cause)).toMatchObject({
      code: "provider_unreadable",
      message: "Paystack returned 502. Run it again when the provider can be reached.",
      cause,
    });
    expect(unreadable("a text").message).toMatch(/^The provider's records could not be read\./);
    const known = new UnreadableDay("took_too_long", "It took too long.");
    expect(unreadable(known)).toBe(known);
  });
});

describe("what operators send", () => {
  test.each([
    [{}, ["connectionId", "date"]],
    [{ connectionId: id, date: "2026-11-15" }, []],
    [{ connectionId: id, date: "15/11/2026" }, ["date"]],
    [{ connectionId: id, date: "2026-02-29" }, ["date"]],
    [{ connectionId: id, date: "2026-11-15T00:00:00Z" }, ["date"]],
  ])("to start a run: %j is refused at %j", (body, fields) => {
    expect(Object.keys(complaintsOf(startBody)(body))).toEqual(fields);
  });

  test.each([{ reason: "" }, { reason: " \n " }, { reason: "x".repeat(2_001) }, {}])(
    "to resolve an exception has a reason, not %j",
    (body) => {
      expect(Object.keys(complaintsOf(resolveBody)(body))).toEqual(["reason"]);
    },
  );

  test.each([{ state: "open" }, { date: "today" }, { limit: "101" }])("to list runs is not %j", (query) => {
    expect(Object.keys(complaintsOf(listQuery, "query")(query))).toEqual(Object.keys(query));
  });
});
