/** Loans as tests ask for them: a sandbox whose clock stands still and plays everything out when it is moved. */
import { expect } from "vitest";
import type { PresentedLoan } from "../../src/loans/schemas.ts";
import { readEnvironment } from "../../src/platform/database/database.ts";
import { createTestApp, type TestApp } from "../app.ts";
import { eventually } from "../work.ts";

export const application = {
  first_name: "Adaeze",
  last_name: "Okafor",
  phone: "+2348031234567",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "120000",
  tenure_type: "monthly",
  email: "adaeze@example.com",
  tenure: "12",
  bank_code: "058",
  account_number: "0123456789",
  longitude: "3.3792",
  latitude: "6.5244",
} as const;

export const start = "2026-11-02T08:00:00.000Z";

export interface LendingApp extends TestApp {
  /** Asks for a loan and returns its id. */
  request(changes?: Readonly<Record<string, unknown>>, key?: string): Promise<string>;
  /** A loan that is paid out. */
  lend(changes?: Readonly<Record<string, unknown>>): Promise<string>;
  advance(by: Readonly<Record<string, unknown>>): Promise<void>;
  /** What GET /loans/{id} shows. */
  read(id: string): Promise<PresentedLoan>;
  /** The names of the events about a loan, in their order. */
  heard(id: string): Promise<string[]>;
}

/** `frozen: false` leaves the clock running. */
export async function createLendingApp({ frozen = true } = {}): Promise<LendingApp> {
  const testing = await createTestApp();
  const { call } = testing;
  if (frozen) await freeze(testing);
  const request: LendingApp["request"] = async (changes = {}, key = testing.merchant.secretKey) => {
    const reply = await call("POST", "/loans/create", { body: { ...application, ...changes }, key });
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json().data.id;
  };
  const advance: LendingApp["advance"] = async (by) => {
    const send = () => call("POST", "/sandbox/clock/advance", { body: by });
    let reply = await send();
    // A running clock is also moved by what falls due: the refusal says to try again.
    await eventually("the clock is free", async () => {
      if (reply.json().code === "clock_moving") reply = await send();
      return reply.json().code !== "clock_moving";
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  return {
    ...testing,
    request,
    advance,
    async lend(changes) {
      const id = await request(changes);
      await advance({ seconds: 5 });
      return id;
    },
    async read(id) {
      const reply = await call("GET", `/loans/${id}`);
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json().data;
    },
    heard: (id) => heardBy(testing, testing.merchant.environment.id, id),
  };
}

export async function freeze({ call }: Pick<TestApp, "call">, now: string = start, key?: string): Promise<void> {
  const options = key === undefined ? {} : { key };
  const reply = await call("PUT", "/sandbox/clock", { body: { mode: "frozen", now, seed: "loans" }, ...options });
  expect(reply.statusCode, reply.body).toBe(200);
}

export function heardBy({ db }: TestApp, environmentId: string, resourceId: string): Promise<string[]> {
  return readEnvironment(db, environmentId, async (tx) => {
    const rows = await tx
      .selectFrom("events")
      .select("event")
      .where("environment_id", "=", environmentId)
      .where("resource_id", "=", resourceId)
      .orderBy("resource_version")
      .execute();
    return rows.map(({ event }) => event);
  });
}
