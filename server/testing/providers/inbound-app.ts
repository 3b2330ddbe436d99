/** A live environment whose account numbers come from Paystack's twin, with hands for payers, providers and workers. */
import { expect } from "vitest";
import { inEnvironment, operatorScope, readEnvironment } from "../../src/platform/database/database.ts";
import type { Difference } from "../../src/platform/records/difference.ts";
import { house } from "../../src/start/slices.ts";
import type { InboundDependencies } from "../../src/wallets/take-inbound-hint.ts";
import type { TestAppOptions } from "../app.ts";
import { asOwner, silentLog } from "../work.ts";
import { createLiveApp, type LiveApp } from "./live-app.ts";
import { type PaystackTwin, startPaystackTwin } from "./paystack-twin.ts";
import { signPaystack } from "./paystack-twin-account.ts";
import { createInboundBooks, type PaystackInboundBooks, type TwinCredit } from "./paystack-twin-inbound.ts";

export interface SubAccount {
  readonly id: string;
  readonly accountNumber: string;
}

export interface InboundApp extends LiveApp {
  readonly twin: PaystackTwin;
  readonly books: PaystackInboundBooks;
  readonly connectionId: string;
  readonly deps: InboundDependencies;
  /** Orders a sub-account and returns its id; nothing has asked the provider yet. */
  order(body?: Readonly<Record<string, unknown>>): Promise<string>;
  /** One step of the task that opens a sub-account. */
  takeUp(id: string): Promise<void>;
  /** A sub-account with a number. */
  open(): Promise<SubAccount>;
  read(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** A webhook arrives, as Paystack signs it. */
  hook(credit: TwinCredit, particulars?: HookParticulars): Promise<number>;
  /** Asks about everything that was hinted at, also what waits for its next try. */
  follow(): Promise<void>;
  /** In kobo. */
  balance(id: string): Promise<number>;
  events(event: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  suspense(query?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What `npm run verify` finds, here and in the operator's books. */
  verify(): Promise<Difference[]>;
}

export interface HookParticulars {
  readonly event?: string;
  readonly secretKey?: string;
  readonly connectionId?: string;
  /** What the webhook says otherwise than the books. */
  readonly says?: Readonly<Record<string, unknown>>;
}

export const inboundCredentials = (secretKey: string) => ({ secretKey, accountsDomain: "accounts.example.com" });

export async function createInboundApp(options: TestAppOptions = {}): Promise<InboundApp> {
  const app = await createLiveApp(options);
  const books = createInboundBooks();
  const twin = app.keep(await startPaystackTwin(0, { parts: [books.part] }));
  const { secretKey } = twin.account;
  const wanted = { provider: "paystack", name: "Paystack", mode: "live", baseUrl: twin.url };
  const connectionId = await app.connect({ ...wanted, credentials: inboundCredentials(secretKey) });
  await app.operate("PUT", "/operator/routes/inbound", { connections: [connectionId] });
  const { rails, connections } = app.rails;
  const deps: InboundDependencies = { db: app.db, log: silentLog, rails, connections };
  const parts = { twin, books, connectionId, deps };
  return { ...app, ...parts, ...accountHands(app), ...creditHands(app, parts), ...eyes(app) };
}

function accountHands(app: LiveApp): Pick<InboundApp, "order" | "takeUp" | "read" | "open"> {
  const { callLive, liveEnvironmentId } = app;
  const order: InboundApp["order"] = async (body = { accountName: "Mama Put Ikeja" }) => {
    const reply = await callLive("POST", "/wallets/sub-accounts", body);
    expect(reply.statusCode, reply.body).toBe(202);
    return reply.json().data.id;
  };
  const takeUp: InboundApp["takeUp"] = async (id) => {
    const task = app.tasks.kinds.get("wallets.open-account");
    await task?.handle({ environmentId: liveEnvironmentId, subject: id, payload: {} } as never);
  };
  const read: InboundApp["read"] = async (id) => (await callLive("GET", `/wallets/sub-accounts/${id}`)).json().data;
  const open: InboundApp["open"] = async () => {
    const id = await order();
    await takeUp(id);
    const { accountNumber } = await read(id);
    if (typeof accountNumber !== "string") throw new Error("no account number was given");
    return { id, accountNumber };
  };
  return { order, takeUp, read, open };
}

type Parts = Pick<InboundApp, "twin" | "books" | "connectionId">;

function creditHands(app: LiveApp, { twin, books, connectionId }: Parts): Pick<InboundApp, "hook" | "follow"> {
  return {
    hook: async (credit, particulars = {}) => {
      const { event = "charge.success", secretKey = twin.account.secretKey, says } = particulars;
      const raw = JSON.stringify({ event, data: { ...(books.show(credit) as object), ...says } });
      const headers = { "content-type": "application/json", "x-paystack-signature": signPaystack(secretKey, raw) };
      const url = `/rails/${particulars.connectionId ?? connectionId}/hook`;
      return (await app.app.inject({ method: "POST", url, payload: raw, headers })).statusCode;
    },
    follow: async () => {
      await asOwner(app.ownerUrl, "update rail_hints set next_at = clock_timestamp() where done_at is null");
      await app.work("hints of providers");
    },
  };
}

function eyes(app: LiveApp): Pick<InboundApp, "balance" | "events" | "suspense" | "verify"> {
  const { callLive, operate, db, liveEnvironmentId } = app;
  return {
    balance: async (id) => {
      const reply = await callLive("GET", `/wallets/balance?accountId=${id}`);
      return Math.round(reply.json().data.available * 100);
    },
    events: async (event) => {
      const found = await inEnvironment(db, liveEnvironmentId, (tx) =>
        tx.selectFrom("events").select("data").where("event", "=", event).orderBy("id").execute(),
      );
      return found.map(({ data }) => data as Readonly<Record<string, unknown>>);
    },
    suspense: async (query = "") => (await operate("GET", `/operator/suspense${query}`)).json().data,
    verify: async () => {
      const inside = await readEnvironment(db, liveEnvironmentId, house.verify);
      return [...inside, ...(await readEnvironment(db, operatorScope, house.verifyOperator))];
    },
  };
}
