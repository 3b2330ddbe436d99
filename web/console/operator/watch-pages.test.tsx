/** The lists that operators watch: unknown payments, suspense, verifications, the audit, rates. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { cells, fact, pages, savedFiles, screenIs } from "../testing/lists.ts";
import { FindTracePage } from "./find-trace-page.tsx";
import { RatesPage } from "./rates-page.tsx";
import { SuspensePage } from "./suspense-page.tsx";
import { VerificationPage, VerificationsPage } from "./verification-pages.tsx";
import { AuditPage, UnknownsPage } from "./watch-pages.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

describe("unknown payments", () => {
  const clocks = [
    { name: "answer", seconds: 60, over: true },
    { name: "refund", seconds: 86_400, over: false },
  ];
  const unknown = {
    type: "transfer",
    id: "t-1",
    environment: "LIVE",
    reference: "order-7",
    amount: 2_500,
    queries: 12,
    sentAt: "2026-11-16T18:45:31.284Z",
    ageSeconds: 125,
    clocks,
    rail: { provider: "paystack" } as object | null,
  };

  test("each says how old it is, which clock it is past, and how often it was asked about", async () => {
    screenIs("wide");
    replyWith({
      [`GET ${operatorPath}/unknowns`]: pages([
        unknown,
        { ...unknown, id: "b-1", type: "bill", clocks: clocks.map((clock) => ({ ...clock, over: false })), rail: null },
        { ...unknown, id: "x-1", type: "charge", clocks: [] },
      ]),
    });
    await drawInConsole(<UnknownsPage />, { house: "operator" });
    expect(cells().map((row) => row.slice(2, 7))).toEqual([
      ["2 min 5 s", "Answer within 1 min", "Transfer · LIVE", "Paystack", "12 times"],
      ["2 min 5 s", "Answer within 1 min", "Bill · LIVE", "Simulated", "12 times"],
      ["2 min 5 s", "", "Charge · LIVE", "Paystack", "12 times"],
    ]);
    const hrefs = [...document.querySelectorAll("[data-row]")].map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual(["/operator/transfers/t-1", "/operator/bills/b-1", "/operator/trace/x-1"]);
  });

  test("the page warns against paying one again", async () => {
    replyWith({ [`GET ${operatorPath}/unknowns`]: pages([]) });
    await drawInConsole(<UnknownsPage />, { house: "operator" });
    expect(shown()).toContain("Never pay one again.");
    expect(shown()).toContain("No unknown payments");
  });
});

describe("money of nobody", () => {
  const row = {
    id: "s-1",
    state: "open",
    reason: "no_such_account",
    provider: "monnify",
    amount: 5_000,
    currency: "NGN",
    accountNumber: "0123456789",
    senderName: "ADA <b>OBI</b>" as string | null,
    paidAt: "2026-11-16T18:45:31.284Z",
  };

  test("money of another country is not written as naira, and cannot be assigned", async () => {
    screenIs("wide");
    replyWith({
      [`GET ${operatorPath}/suspense`]: pages([
        row,
        { ...row, id: "s-2", state: "foreign_currency", currency: "USD", amount: 20.5, senderName: null },
        { ...row, id: "s-3", state: "assigned" },
      ]),
    });
    await drawInConsole(<SuspensePage />, { house: "operator" });
    expect(cells().map((row) => row.slice(0, 3))).toEqual([
      ["ADA <b>OBI</b>", "₦5,000.00", "Open"],
      ["not told", "20.5 USD", "Foreign currency"],
      ["ADA <b>OBI</b>", "₦5,000.00", "Assigned"],
    ]);
    expect(document.querySelectorAll("td button")).toHaveLength(1);
  });

  test("is put into one wallet, with a reason", async () => {
    const asked = replyWith({
      [`GET ${operatorPath}/suspense`]: pages([row]),
      [`POST ${operatorPath}/suspense/s-1/assign`]: () => ({}),
    });
    await drawInConsole(<SuspensePage />, { house: "operator" });
    await press("Assign");
    expect(shown()).toContain("Never on a guess");
    await type("Wallet's id", " w-1 ");
    await type("Reason", "their receipt");
    await submit();
    await expect.poll(() => asked.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ accountId: "w-1", reason: "their receipt" });
  });
});

describe("verifications", () => {
  const verification = {
    id: "v-1",
    state: "contradictions",
    requestedBy: "night",
    environments: 3,
    checks: 21,
    contradictions: 2,
    failure: null as string | null,
    createdAt: "2026-11-16T02:00:00.000Z",
    startedAt: "2026-11-16T02:00:01.000Z" as string | null,
    endedAt: "2026-11-16T02:03:00.000Z" as string | null,
  };
  const found = { environmentId: "e-1", check: "Zero sum", subject: "books", expected: "0", found: "5" };

  async function open(more: object) {
    const server = { run: { ...verification, found: [], ...more } };
    replyWith({ [`GET ${operatorPath}/verifications/v-1`]: () => server.run });
    await drawInConsole(<VerificationPage />, { house: "operator", address: "/here/v-1" });
    return server;
  }

  test("each contradiction is told, also when two environments have the same one", async () => {
    const complaints = vi.spyOn(console, "error").mockReturnValue();
    await open({ found: [found, { ...found, environmentId: "e-2" }, { ...found, environmentId: null }] });
    const rows = [...document.querySelectorAll("li")].map((row) => row.textContent);
    expect(rows).toEqual([
      "Zero sumIt must be 0 and is 5.books · e-1",
      "Zero sumIt must be 0 and is 5.books · e-2",
      "Zero sumIt must be 0 and is 5.books · the operator's own books",
    ]);
    expect(complaints).not.toHaveBeenCalled();
  });

  test.each([
    ["clean", "No differences found"],
    ["running", "No result yet"],
    ["failed", "Not known"],
  ])("one that is %s says: %s", async (state, words) => {
    await open({ state });
    expect(document.querySelector("h2.text-base")?.textContent).toBe(words);
  });

  test("one that failed says why, and to verify again", async () => {
    await open({ state: "failed", failure: "The database went away." });
    expect(fact("Why it failed")).toBe("The database went away.");
    expect(shown()).not.toContain("This fills when the verification has ended.");
  });

  test("a running one is looked at until it has ended", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const server = await open({ state: "running", startedAt: null, endedAt: null });
    server.run = { ...verification, state: "clean", found: [] };
    await settle(() => vi.advanceTimersByTime(2_000));
    await expect.poll(shown).toContain("No differences found");
  });

  test("the list has a button that asks for one now", async () => {
    screenIs("wide");
    const asked = replyWith({
      [`GET ${operatorPath}/verifications`]: pages([verification]),
      [`POST ${operatorPath}/verifications`]: () => ({}),
    });
    await drawInConsole(<VerificationsPage />, { house: "operator" });
    expect(cells()[0]?.slice(1, 6)).toEqual(["Contradictions", "3", "21", "2", "night"]);
    await press("Verify now");
    await submit();
    await expect.poll(() => asked.some(({ method }) => method === "POST")).toBe(true);
  });
});

test("the audit tells who did what to whom, from where; the file is harmless", async () => {
  screenIs("wide");
  const files = savedFiles();
  const entry = {
    id: "a-1",
    at: "2026-11-16T18:45:31.284Z",
    actor: "=ada@example.com",
    action: "key.revoked",
    subjectType: "api_key",
    subjectId: "k-1",
    address: "10.0.0.1",
  };
  replyWith({ [`GET ${operatorPath}/audit`]: pages([entry]) });
  await drawInConsole(<AuditPage />, { house: "operator" });
  expect(cells()).toEqual([["key.revoked", "=ada@example.com", "Api key k-1", "10.0.0.1", "16 Nov 2026 19:45:31"]]);
  await press("CSV");
  await expect.poll(() => files.has("audit.csv")).toBe(true);
  expect(await files.get("audit.csv")?.()).toContain("'=ada@example.com");
});

describe("rates", () => {
  const tariff = {
    version: 2,
    effectiveFrom: "2026-11-01T00:00:00.000Z",
    bands: [
      { upTo: 5_000, fee: 10 },
      { upTo: null, fee: 50 },
    ],
    vatPercent: 7.5,
    stampDuty: 50,
    stampDutyFrom: 10_000,
    inForce: true,
  };
  const catalogue = {
    version: 4,
    source: "vtpass",
    sourceDate: "2026-11-01",
    networks: [{ code: "MTN", name: "MTN", minAmount: 50, maxAmount: 50_000 }],
    dataPlans: [{ planCode: "mtn-1gb", name: "1 GB", amount: 500 }],
    electricityProviders: [],
    tvProviders: [{ code: "dstv", name: "DStv" }],
    tvPackages: [],
    bettingProviders: [],
  };

  test("a tariff tells its bands, and what is in force is marked", async () => {
    replyWith({
      [`GET ${operatorPath}/transfers/tariffs`]: () => [tariff, { ...tariff, version: 1, inForce: false }],
      [`GET ${operatorPath}/bills/rates`]: () => [
        { category: "tv", version: 1, commissionPercent: 1.5, fee: 0, effectiveFrom: "", inForce: true },
      ],
      [`GET ${operatorPath}/bills/catalogues`]: () => catalogue,
    });
    await drawInConsole(<RatesPage />, { house: "operator" });
    expect(shown()).toContain("Version 2 in force");
    expect([...document.querySelectorAll("li strong")].map((mark) => mark.textContent)).toEqual([
      "in force",
      "in force",
    ]);
    expect(shown()).toContain("VAT 7.5 % · stamp duty ₦50.00 from ₦10,000.00");
    expect(shown()).toContain("up to ₦5,000.00₦10.00above₦50.00");
    expect(shown()).toContain("Tv in force1.5 % commission, fee ₦0.00");
    expect(shown()).toContain("₦50.00 to ₦50,000.00");
    const groups = [...document.querySelectorAll("summary")].map((each) => each.textContent);
    expect(groups).toEqual(["Airtime 1", "Data plans 1", "Electricity 0", "TV 1", "TV packages 0", "Betting 0"]);
  });

  test("one list that is away does not take the others along", async () => {
    replyWith({
      [`GET ${operatorPath}/transfers/tariffs`]: () => [tariff],
      [`GET ${operatorPath}/bills/rates`]: () => refuse(503, "unavailable", { message: "Rates are away." }),
      [`GET ${operatorPath}/bills/catalogues`]: () => catalogue,
    });
    await drawInConsole(<RatesPage />, { house: "operator" });
    expect(shown()).toContain("Rates are away.");
    expect(shown()).toContain("Version 2");
    expect(hasButton("Try again")).toBe(true);
  });
});

test.each([
  ["0198-abc", "/operator/trace/0198-abc"],
  [" a/b?c#d ", "/operator/trace/a%2Fb%3Fc%23d"],
])("the id %j that somebody tells leads to its trace", async (typed, address) => {
  const place = await drawInConsole(<FindTracePage />, { house: "operator" });
  await type("Id", typed);
  await press("Show");
  await expect.poll(place).toBe(address);
});
