/** The whole API with money in the first merchant's wallet, and a worker that tests drive round by round. */
import type { LightMyRequestResponse } from "fastify";
import { type CallOptions, createTestApp, type TestApp, type TestAppOptions } from "../app.ts";
import { workThrough } from "../work.ts";

export interface PayingApp extends TestApp {
  /** Asks for a payout that succeeds, unless told otherwise. */
  pay(body?: Readonly<Record<string, unknown>>, options?: Omit<CallOptions, "body">): Promise<LightMyRequestResponse>;
  /** Lets a worker take everything that waits as far as it gets. */
  work(): Promise<void>;
  /** The main wallet, in naira. */
  balance(): Promise<{ available: number; held: number }>;
  read(id: string): Promise<Record<string, unknown>>;
}

let made = 0;

/** A reference that no other test uses. */
export function freshReference(ending = ""): string {
  made += 1;
  return `ref-${made}${ending}`;
}

export async function createPayingApp(options: TestAppOptions = {}): Promise<PayingApp> {
  const testing = await createTestApp(options);
  const { call } = testing;
  const funded = await call("POST", "/sandbox/wallets/fund", { body: { amount: 100_000_000 } });
  if (funded.statusCode !== 201) throw new Error(`the wallet could not be funded: ${funded.body}`);
  return {
    ...testing,
    pay: (body = {}, how = {}) =>
      call("POST", "/transfers", { ...how, body: { ...goodPayout(), reference: freshReference(), ...body } }),
    async work() {
      for (const loop of testing.tasks.loops) await workThrough(loop);
    },
    balance: async () => (await call("GET", "/wallets/balance")).json().data,
    read: async (id) => (await call("GET", `/transfers/${id}`)).json().data,
  };
}

function goodPayout() {
  return { accountNumber: "0690000032", bankCode: "044", amount: 2500.5, currency: "NGN" };
}
