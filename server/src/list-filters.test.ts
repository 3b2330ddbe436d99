/** Filters of lists: every value, two at once, what is not there, another merchant's, and pages under a filter. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { application } from "../testing/lending/loans.ts";
import { createPayingApp, freshReference } from "../testing/payments/paying-app.ts";
import { record, someEvent } from "../testing/webhooks/events.ts";
import { addEndpoint } from "../testing/webhooks/webhooks.ts";
import { asOwner } from "../testing/work.ts";
import { loanStatuses } from "./loans/schemas.ts";
import { sequenceEvents } from "./platform/records/sequencer.ts";
import { deliveryStatuses } from "./webhooks/deliveries/delivery.ts";

const app = await createPayingApp();
const { call, pay, work, db, merchant, otherMerchant, ownerUrl } = app;
const theirs = { key: otherMerchant.secretKey };

interface Listed {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly pagination?: Readonly<Record<string, unknown>>;
}

const list = async (path: string, options = {}): Promise<Listed> => (await call("GET", path, options)).json();
const idsOf = ({ data }: Listed) => data.map(({ id }) => id);

async function badFields(path: string): Promise<string[]> {
  const reply = await call("GET", path);
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  return reply.json().errors.map(({ field }: { field: string }) => field);
}

describe("GET /loans?status=&limit=", () => {
  /** Newest first. */
  const made: { readonly id: string; readonly status: string }[] = [];

  beforeAll(async () => {
    for (const status of [...loanStatuses, ...loanStatuses, "overdue"]) {
      const { id } = (await call("POST", "/loans/create", { body: application })).json().data;
      // How a loan gets there is told elsewhere.
      await asOwner(ownerUrl, `update loan_requests set status = '${status}' where id = '${id}'`);
      made.unshift({ id, status });
    }
  });

  const having = (status: string) => made.filter((each) => each.status === status).map(({ id }) => id);

  test.each(loanStatuses)("%s lists those loans and no other", async (status) => {
    const found = await list(`/loans?status=${status}`);
    expect(idsOf(found)).toEqual(having(status));
    expect(new Set(found.data.map((loan) => loan["status"]))).toEqual(new Set([status]));
    expect(found.meta).toMatchObject({ current_page: 1, next_page: null, prev_page: null });
  });

  test("pages count what the filter leaves, and end", async () => {
    const pages = [1, 2, 3, 4].map((page) => list(`/loans?status=overdue&limit=1&page=${page}`));
    const found = await Promise.all(pages);
    const expected = having("overdue");
    expect(found.map(idsOf)).toEqual([...expected.map((id) => [id]), []]);
    expect(found.map(({ meta }) => [meta?.["prev_page"], meta?.["next_page"]])).toEqual([
      [null, 2],
      [1, 3],
      [2, null],
      [3, null],
    ]);
    expect(idsOf(await list("/loans?limit=5"))).toEqual(made.slice(0, 5).map(({ id }) => id));
  });

  test("from and to are the day on which a loan was asked for, in Lagos; with a status too", async () => {
    const [newest] = made;
    const { created_at: at } = (await list("/loans?limit=1")).data[0] as { created_at: string };
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect((await list(`/loans?from=${at}&limit=100`)).data[0]).toMatchObject({ id: newest?.id });
    expect(idsOf(await list(`/loans?from=${later}`))).toEqual([]);
    expect(idsOf(await list(`/loans?to=${later}&limit=3`))).toEqual(made.slice(0, 3).map(({ id }) => id));
    expect(idsOf(await list(`/loans?status=overdue&to=${later}`))).toEqual(having("overdue"));
    expect(idsOf(await list("/loans?status=overdue&from=2000-01-01&to=2000-01-02"))).toEqual([]);
    expect(idsOf(await list("/loans?from=2000-01-01", theirs))).toEqual([]);
    expect(await badFields("/loans?from=2026-02-01&to=2026-01-01")).toEqual(["to"]);
  });

  test("another merchant sees none of them, and what is not a status is refused", async () => {
    expect(idsOf(await list("/loans?status=active", theirs))).toEqual([]);
    expect(await badFields("/loans?status=lost")).toEqual(["status"]);
    expect(await badFields("/loans?status=Active&limit=0")).toEqual(["status", "limit"]);
    expect(await badFields("/loans?status=active&status=overdue")).toEqual(["status"]);
  });
});

describe("GET /events?status=&event=", () => {
  const names = ["transfer.completed", "bill.failed"] as const;
  /** Of each status and name one event, and one that went nowhere. */
  const made = new Map<string, string>();

  beforeAll(async () => {
    const { id: endpointId } = await addEndpoint(app, "http://127.0.0.1:9/away", { events: ["webhook.test"] });
    const { id: environmentId } = merchant.environment;
    for (const status of deliveryStatuses) {
      for (const name of names) {
        const [id = ""] = await record(db, environmentId, someEvent(name));
        await sequenceEvents(db);
        const row = [environmentId, id, endpointId, randomUUID()].map((each) => `'${each}'`).join(", ");
        await asOwner(
          ownerUrl,
          `insert into webhook_deliveries (environment_id, event_id, endpoint_id, resource_id, event_position, status,
             due_at) values (${row}, 1, '${status}', now())`,
        );
        made.set(`${status} ${name}`, id);
      }
    }
    await record(db, environmentId, someEvent(names[0]));
    await sequenceEvents(db);
  });

  test.each(deliveryStatuses)("%s lists events of which a delivery is so, newest first", async (status) => {
    const both = names.toReversed().map((name) => made.get(`${status} ${name}`));
    expect(idsOf(await list(`/events?status=${status}`))).toEqual(both);
    for (const name of names) {
      const found = await list(`/events?status=${status}&event=${name}`);
      expect(idsOf(found)).toEqual([made.get(`${status} ${name}`)]);
      expect(found.pagination).toMatchObject({ totalItems: 1 });
    }
    const pages = await Promise.all([1, 2, 3].map((page) => list(`/events?status=${status}&limit=1&page=${page}`)));
    expect(pages.map(idsOf)).toEqual([[both[0]], [both[1]], []]);
    expect(pages[0]?.pagination).toMatchObject({ totalItems: 2, totalPages: 2, hasNextPage: true });
    expect(idsOf(await list(`/events?status=${status}`, theirs))).toEqual([]);
    expect(idsOf(await list(`/events?status=${status}&event=loan.rejected`))).toEqual([]);
  });

  test("what is neither a status nor an event is refused, both at once", async () => {
    expect(await badFields("/events?status=lost&event=nothing.happened")).toEqual(["event", "status"]);
  });
});

describe.each([
  ["/transfers", (reference: string, options = {}) => pay({ reference }, options)],
  [
    "/bills",
    (reference: string, options = {}) =>
      call("POST", "/bills/airtime/vend", {
        body: { network: "MTN", phoneNumber: "08031234567", amount: 100, reference },
        ...options,
      }),
  ],
] as const)("GET %s?reference=", (path, make) => {
  const [mine, failed, foreign] = [freshReference(), freshReference("_FAIL"), freshReference()];

  beforeAll(async () => {
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 10_000 }, ...theirs });
    for (const reference of [mine, failed]) expect((await make(reference)).statusCode).toBe(201);
    expect((await make(foreign, theirs)).statusCode).toBe(201);
    await work();
  });

  const referencesOf = async (query: string, options = {}) =>
    (await list(`${path}?${query}`, options)).data.map(({ reference }) => reference);

  test("finds the one record, which other filters can rule out", async () => {
    expect(await list(`${path}?reference=${mine}`)).toMatchObject({
      data: [{ reference: mine }],
      pagination: { totalItems: 1, totalPages: 1, hasNextPage: false },
    });
    expect(await referencesOf(`reference=${failed}&status=failed`)).toEqual([failed]);
    expect(await referencesOf(`reference=${mine}&status=failed`)).toEqual([]);
    expect(await referencesOf(`reference=${mine}&from=2020-01-01&to=2020-01-02`)).toEqual([]);
    expect(await referencesOf(`reference=${mine}&limit=1&page=2`)).toEqual([]);
  });

  test("finds no other merchant's, and nothing by a part or other capitals", async () => {
    expect(await referencesOf(`reference=${foreign}`)).toEqual([]);
    expect(await referencesOf(`reference=${foreign}`, theirs)).toEqual([foreign]);
    expect(await referencesOf(`reference=${mine}`, theirs)).toEqual([]);
    for (const other of [mine.slice(0, -1), mine.toUpperCase(), "nobodys"]) {
      expect(await referencesOf(`reference=${other}`)).toEqual([]);
    }
  });

  test("what is not a reference is refused", async () => {
    expect(await badFields(`${path}?reference=`)).toEqual(["reference"]);
    expect(await badFields(`${path}?reference=${"x".repeat(300)}&status=lost`)).toEqual(["status", "reference"]);
  });
});
