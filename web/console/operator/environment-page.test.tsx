/** One environment as its operator sees it. */
import { expect, test } from "vitest";
import { hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { fact, pages } from "../testing/lists.ts";
import { EnvironmentPage } from "./environment-page.tsx";

const base = `${operatorPath}/environments/e-1`;
const environment = {
  id: "e-1",
  merchantName: "Mama Put",
  kind: "SANDBOX",
  name: "Play",
  createdAt: "2026-11-01T10:00:00.000Z",
  clock: { mode: "frozen", now: "2027-02-28T23:30:00.000Z" },
  overview: {
    wallet: { available: 1_000.5, held: 25 },
    loans: { outstanding: { principal: 300, interest: 4.5, fees: 0 } },
    webhooks: [] as object[],
    attention: [] as object[],
  },
};

async function open(more: object = {}, replies: object = {}) {
  const asked = replyWith({
    [`GET ${base}/keys`]: pages([]),
    [`GET ${base}/lender`]: () => ({ available: 5_000_000, promised: 120_000 }),
    [`GET ${base}`]: () => ({ ...environment, ...more }),
    ...replies,
  });
  await drawInConsole(<EnvironmentPage />, { house: "operator", address: "/here/e-1" });
  return asked;
}

test("balances of merchant, borrowers and lender stand to the kobo", async () => {
  await open();
  const names = [
    "Main wallet",
    "Held for payouts and bills",
    "Borrowers owe: principal",
    "Borrowers owe: interest",
    "Lender's funds",
    "Promised to borrowers",
  ];
  expect(names.map(fact)).toEqual(["₦1,000.50", "₦25.00", "₦300.00", "₦4.50", "₦5,000,000.00", "₦120,000.00"]);
});

test("a sandbox whose clock stands tells its own time, in Lagos", async () => {
  await open();
  expect(fact("Its time")).toBe("1 Mar 2027 00:30:00");
  expect(fact("Clock")).toBe("stands still until it is moved");
});

test("nothing that waits, and no endpoint, are said in words", async () => {
  await open();
  expect(shown()).toContain("No unknown payments and no failing webhooks.");
  expect(shown()).toContain("the merchant has registered no endpoint yet");
});

test("what waits and each endpoint's health are told", async () => {
  const endpoint = { id: "w-1", url: "https://a.example/<hook>", enabled: true, failingSince: null, waiting: 0 };
  await open({
    overview: {
      ...environment.overview,
      attention: [{ kind: "unknown", title: "A payout has no outcome", since: "2026-11-16T18:45:31.284Z" }],
      webhooks: [
        endpoint,
        { ...endpoint, id: "w-2", url: "https://b.example", failingSince: "2026-11-16T18:45:31Z", waiting: 12 },
        { ...endpoint, id: "w-3", url: "https://c.example", enabled: false },
      ],
    },
  });
  const rows = [...document.querySelectorAll("li")].map((row) => row.textContent);
  expect(rows).toEqual([
    "A payout has no outcome16 Nov 2026 19:45:31",
    "https://a.example/<hook>Healthy",
    "https://b.example12 waitFailing",
    "https://c.exampleDisabled",
  ]);
});

test("a lender that cannot be read does not hide the merchant's balances", async () => {
  await open({}, { [`GET ${base}/lender`]: () => refuse(403, "forbidden", { message: "Not for your role." }) });
  expect(shown()).toContain("Not for your role.");
  expect(fact("Main wallet")).toBe("₦1,000.50");
});

test("a key is issued for this environment, and its secret is shown once", async () => {
  const asked = await open({}, { [`POST ${base}/keys`]: () => ({ key: "sk_test_secret" }) });
  await press("Issue a key");
  await type("Name", "Support");
  await type("Scopes", "transfers:read, wallets:read transfers:write");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  await expect
    .poll(() => document.querySelector<HTMLInputElement>("[aria-label='the key']")?.value)
    .toBe("sk_test_secret");
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    name: "Support",
    scopes: ["transfers:read", "wallets:read", "transfers:write"],
  });
  expect(hasButton("Copy")).toBe(true);
});
