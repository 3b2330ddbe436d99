/**
 * What people and programs had begun in an environment goes on after it has moved to another cell: a clock that stands
 * still with work ahead of it, a customer in the middle of a checkout, a person at the console, payouts of a live
 * merchant and the days on which they are compared.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type MoveStep, moveEnvironment } from "../../server/src/cells/move-environment.ts";
import { readConfig } from "../../server/src/config.ts";
import { ensureMember, ensurePerson } from "../../server/src/console/console-store.ts";
import { makeSignInToken } from "../../server/src/console/sign-in-link.ts";
import { openLoanAccount } from "../../server/src/lending/open-loan-account.ts";
import { findProduct } from "../../server/src/lending/products.ts";
import { kobo } from "../../server/src/money/kobo.ts";
import { inEnvironment, operatorScope, type Tx } from "../../server/src/platform/database/database.ts";
import { findFreePort } from "../../server/src/platform/embedded-postgres/free-port.ts";
import { startServer } from "../../server/src/start-server.ts";
import { verifyArrival } from "../../server/src/verify-arrival.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { fromPage } from "../../server/testing/console.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createLive, createMerchant } from "../../server/testing/factories.ts";
import { issueKeyFor } from "../../server/testing/keys.ts";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import { eventually, silentLog } from "../../server/testing/work.ts";

const [home, other] = [await createTestDatabase(), await createTestDatabase()];
const merchant = await createMerchant(home.db, "Mama Put Foods");
const sandbox = merchant.environment.id;
const cells = new Map([
  ["home", home.ownerUrl],
  ["abuja", other.ownerUrl],
]);
const folder = mkdtempSync(join(tmpdir(), "jara-moved-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operatorToken = "op_for-tests-only-0123456789";
const port = await findFreePort();
const server = await startServer(
  readConfig({
    PORT: String(port),
    PUBLIC_URL: fromPage.origin,
    JARA_HOME: folder,
    DATABASE_URL: home.appUrl,
    DATABASE_OWNER_URL: home.ownerUrl,
    JARA_CELLS: `abuja=${other.ownerUrl}`,
    JARA_RATE_LIMIT: "0",
    JARA_DEMO: "off",
    JARA_POOL_SIZE: "8",
    JARA_OPERATOR_TOKEN: operatorToken,
    LOG_LEVEL: "silent",
  }),
  silentLog,
);
afterAll(() => server.stop());

/** What is looked at in any reply. */
interface Shown {
  readonly id: string;
  readonly url: string;
  readonly step: string;
  readonly state: string;
  readonly status: string;
  readonly now: string;
  readonly agreement: { readonly termsHash: string };
  readonly length: number;
}

interface Seen {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly headers: Headers;
  readonly body: { readonly code: string; readonly data: Shown };
}

async function send(headers: Record<string, string>, method: string, path: string, content?: unknown): Promise<Seen> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(content === undefined ? {} : { "content-type": "application/json" }) },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  const { status, headers: told } = reply;
  const body = (await reply.json()) as Seen["body"];
  return { status, retryAfter: told.get("retry-after"), headers: told, body };
}

const bearing = (token: string) => (method: string, path: string, body?: unknown) =>
  send({ authorization: `Bearer ${token}` }, method, path, body);
const call = bearing(merchant.secretKey);
const operate = bearing(operatorToken);

async function done(asked: Promise<Seen>) {
  const { status, body } = await asked;
  expect([200, 201, 202], JSON.stringify(body)).toContain(status);
  return body.data;
}

const move = (environmentId: string, to: string, onStep: (step: MoveStep) => Promise<void> = async () => undefined) =>
  moveEnvironment({ cells, environmentId, to, verify: (cell, id) => verifyArrival(cells, cell, id), onStep });

const payout = { accountNumber: "0690000032", bankCode: "044", amount: 2_500, currency: "NGN" };

/** Signs the merchant's owner in, and returns what asks with that session. */
async function openConsole() {
  const token = await inEnvironment(home.db, operatorScope, async (tx) => {
    const personId = await ensurePerson(tx, { email: "owner@example.com", name: "Owner" });
    await ensureMember(tx, merchant.merchant.id, personId, "owner");
    return makeSignInToken(tx, personId);
  });
  const reply = await send(fromPage, "POST", "/console/api/sign-in-link", { token });
  const cookie = reply.headers
    .getSetCookie()
    .map((set) => set.split(";", 1)[0])
    .join("; ");
  return (method: string, path: string, body?: unknown) =>
    send({ cookie, ...fromPage }, method, `/console/api/environments/${sandbox}${path}`, body);
}

/** A checkout in which the customer has chosen a plan, as its page sees it. */
async function openCheckout() {
  const session = await done(
    call("POST", "/loans/bnpl/checkout-sessions", {
      customer: {
        first_name: "Ngozi",
        last_name: "Adeyemi",
        email: "ngozi@example.com",
        phone: "08035550001",
        bvn: "22145670001",
        date_of_birth: "1994-03-12",
      },
      amount: 60_000,
      bank_account_no: "0123456789",
      bank_code: "058",
      order_reference: "order-1",
      success_url: "https://shop.example.com/thanks",
      cancel_url: "https://shop.example.com/basket",
    }),
  );
  const page = bearing(session.url.split("#")[1] ?? "");
  await done(page("POST", "/hosted/checkout/terms", { tenor: 3 }));
  return { id: String(session.id), page };
}

test("a frozen clock, a checkout and a session at the console go on at the new place", async () => {
  await done(call("PUT", "/sandbox/clock", { mode: "frozen", now: "2026-03-02T09:00:00.000Z", seed: "moved" }));
  await done(call("POST", "/sandbox/wallets/fund", { amount: 1_000_000 }));
  const atConsole = await openConsole();
  const { id, page } = await openCheckout();
  // The bank's reply is lost, so the question about it is on the agenda.
  const sent = await done(call("POST", "/transfers", { ...payout, reference: "lost_TIMEOUT" }));
  const clock = await done(call("GET", "/sandbox/clock"));
  const seen: Record<string, unknown> = {};
  await move(sandbox, "abuja", async (step) => {
    if (step === "closed") {
      seen["reads"] = [
        (await page("GET", "/hosted/checkout")).body.data.step,
        (await atConsole("GET", "/transfers")).status,
        (await call("GET", "/sandbox/clock")).body.data,
      ];
      const refused = await Promise.all([
        page("POST", "/hosted/checkout/consent/request", { agreed: true, termsHash: "0".repeat(64) }),
        atConsole("POST", "/sandbox/wallets/fund", { amount: 1 }),
        call("POST", "/sandbox/clock/advance", { seconds: 300 }),
      ]);
      seen["writes"] = refused.map(({ status, body, retryAfter }) => [status, body.code, retryAfter]);
    }
    if (step === "gone") {
      const refused = await Promise.all([page("GET", "/hosted/checkout"), atConsole("GET", "/transfers")]);
      seen["between"] = refused.map(({ status, body, retryAfter }) => [status, body.code, retryAfter]);
    }
  });
  const refusal = [503, "environment_moving", "2"];
  expect(seen).toEqual({
    reads: ["consent", 200, clock],
    writes: [refusal, refusal, refusal],
    between: [
      [503, "unavailable", "2"],
      [503, "unavailable", "2"],
    ],
  });

  await eventually("the server has noticed", async () => (await call("GET", "/sandbox/clock")).status === 200);
  expect(await done(call("GET", "/sandbox/clock"))).toEqual(clock);
  const { agreement } = await done(page("GET", "/hosted/checkout"));
  await done(page("POST", "/hosted/checkout/consent/request", { agreed: true, termsHash: agreement.termsHash }));
  expect((await done(page("POST", "/hosted/checkout/consent/verify", { otp: "123456" }))).step).toBe("card");
  expect((await done(atConsole("GET", `/transfers/${sent.id}`))).status).toBe("processing");
  await done(call("POST", "/sandbox/clock/advance", { seconds: 600 }));
  expect((await done(atConsole("GET", `/transfers/${sent.id}`))).status).toBe("completed");
  expect((await done(call("GET", "/sandbox/clock"))).now).toBe("2026-03-02T09:10:00.000Z");
  // What was further ahead is still there: the session that nobody ends expires by itself, once.
  await done(call("POST", "/sandbox/clock/advance", { seconds: 172_800 }));
  expect((await done(call("GET", `/loans/bnpl/checkout-sessions/${id}`))).status).toBe("expired");
  const told = async (type: string) => (await done(call("GET", `/events?event=${type}`))).length;
  await eventually("the last event is in the log", async () => (await told("checkout.session.expired")) > 0);
  expect([await told("transfer.completed"), await told("checkout.session.expired")]).toEqual([1, 1]);
  expect(await verifyArrival(cells, "abuja", sandbox)).toEqual([]);
}, 120_000);

/** A debt, as far as anybody could see it. */
const openLoan = async (tx: Tx) =>
  openLoanAccount(tx, {
    owner: { kind: "loan_request", id: tx.environment.clock.newId() },
    product: await findProduct(tx),
    terms: { amount: kobo(5_000_000n), tenor: 3, tenorType: "monthly" },
  });

test("a live merchant that begins to lend while it is on its way stays at home", async () => {
  const environmentId = await createLive(home.db);
  const moving = move(environmentId, "abuja", async (step) => {
    if (step === "noted") await inEnvironment(home.db, environmentId, openLoan);
  });
  await expect(moving).rejects.toThrow("the environment cannot leave home: it lends");
  await inEnvironment(home.db, environmentId, openLoan);
});

test("a live merchant moves, pays from the new place, and its days are compared as before", async () => {
  const twin = await startPaystackTwin();
  afterAll(() => twin.close());
  const environmentId = await createLive(home.db);
  const live = bearing(await issueKeyFor(home.db, environmentId));
  const connection = await done(
    operate("POST", "/operator/connections", {
      provider: "paystack",
      name: "Paystack",
      mode: "live",
      ports: ["bank"],
      baseUrl: twin.url,
      credentials: { secretKey: "sk_live_twin" },
    }),
  );
  await done(operate("PUT", "/operator/routes/bank", { connections: [connection.id] }));
  await done(
    operate("POST", `/operator/wallets/${mainWalletId(environmentId)}/credit`, {
      amount: 100_000,
      reference: "opening",
      reason: "Float for tests",
    }),
  );
  const pay = async (reference: string): Promise<void> => {
    const order = { ...payout, bankCode: "058", accountNumber: "0123456789", reference };
    const { id } = await done(live("POST", "/transfers", order));
    await eventually(
      `${reference} is paid`,
      async () => (await live("GET", `/transfers/${id}`)).body.data?.status === "completed",
    );
  };
  const date = Temporal.Now.zonedDateTimeISO("Africa/Lagos").toPlainDate().toString();
  const compare = async () => {
    const { id } = await done(operate("POST", "/operator/reconciliations", { connectionId: connection.id, date }));
    const look = () => done(operate("GET", `/operator/reconciliations/${id}`));
    await eventually("the day is compared", async () => (await look()).state !== "running");
    return look();
  };
  await pay("before");
  expect(await compare()).toMatchObject({ state: "clean" });
  let meanwhile: unknown;
  await move(environmentId, "abuja", async (step) => {
    if (step === "copied") meanwhile = await compare();
  });
  expect(meanwhile).toMatchObject({ state: "failed", exceptions: [], failure: { code: "environment_moving" } });
  await pay("after");
  const refused = await inEnvironment(other.db, environmentId, openLoan).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "unavailable", message: expect.stringContaining("no loan can be made") });
  const after = await compare();
  expect(after, JSON.stringify(after)).toMatchObject({ state: "clean", exceptions: [] });
  await move(environmentId, "home");
  await pay("home-again");
  expect(await compare()).toMatchObject({ state: "clean", exceptions: [] });
  expect(await verifyArrival(cells, "home", environmentId)).toEqual([]);
}, 120_000);
