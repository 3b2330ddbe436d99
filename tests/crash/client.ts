/**
 * A merchant's application under bad conditions: it pays, and when it gets no clear answer it asks again with the same
 * reference, as our guide tells it to. It remembers every reference for which it was told "accepted".
 */
import type { Random } from "./random.ts";

export interface Payment {
  readonly kind: "transfer" | "bill";
  readonly reference: string;
  readonly amount: number;
}

export interface Client {
  /** Accepted by a 2xx answer, by reference, in that order. */
  readonly acknowledged: ReadonlyMap<string, Payment>;
  /** Everything that was ever sent. */
  readonly attempted: ReadonlyMap<string, Payment>;
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

/** What a client pays for, and how its references end. */
export interface Habits {
  readonly kinds: readonly [Payment["kind"], ...Payment["kind"][]];
  readonly endings: readonly [string, ...string[]];
  /** Between two payments of a lane. */
  readonly restMs: number;
}

/** Endings that a sandbox's rails understand. */
const inSandbox: Habits = {
  kinds: ["transfer", "transfer", "bill"],
  endings: ["", "", "", "", "", "", "_FAIL", "_TIMEOUT", "_REVERSE"],
  restMs: 0,
};
/** A bank that misbehaves is slower than the front door: what piles up before it would be paid when all is over. */
export const inLive: Habits = { kinds: ["transfer"], endings: [""], restMs: 100 };
const lanes = 6;

/** Where it pays: with several servers, each attempt goes to the next of them, as behind a balancer. */
export type Servers = readonly [string, ...string[]];

export function startClient(servers: Servers, key: string, random: Random, habits: Habits = inSandbox): Client {
  const acknowledged = new Map<string, Payment>();
  const attempted = new Map<string, Payment>();
  const refused: string[] = [];
  let stopping = false;
  let count = 0;

  async function pay(): Promise<void> {
    count += 1;
    const payment: Payment = {
      kind: random.pick(habits.kinds),
      reference: `crash-${count}${random.pick(habits.endings)}`,
      amount: random.between(10_000, 500_000) / 100,
    };
    attempted.set(payment.reference, payment);
    const first = count;
    for (let attempt = 0; !stopping && attempt < 200; attempt += 1) {
      const server = servers[(first + attempt) % servers.length] ?? servers[0];
      const answer = await send(server, key, payment);
      if (answer === "accepted") {
        acknowledged.set(payment.reference, payment);
        return;
      }
      if (answer !== "unclear") {
        refused.push(`${payment.reference}: ${answer}`);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  const running = Array.from({ length: lanes }, async () => {
    while (!stopping) {
      await pay();
      if (habits.restMs > 0) await new Promise((resolve) => setTimeout(resolve, habits.restMs));
    }
  });
  return {
    acknowledged,
    attempted,
    refused,
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
}

/** The path and body of a payment. */
function requestOf({ kind, reference, amount }: Payment): { path: string; body: object } {
  if (kind === "bill") {
    const body = { network: "MTN", phoneNumber: "08031234567", amount: Math.floor(amount), reference };
    return { path: "/bills/airtime/vend", body };
  }
  const account = { accountNumber: "0123456789", bankCode: "058" };
  // The narration reaches the bank, so a payment can be told there whatever its reference at the bank is.
  return { path: "/transfers", body: { ...account, currency: "NGN", reference, amount, narration: reference } };
}

async function send(baseUrl: string, key: string, payment: Payment): Promise<string> {
  const { path, body } = requestOf(payment);
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    if (response.ok) {
      await response.arrayBuffer();
      return "accepted";
    }
    const text = await response.text();
    return response.status >= 500 ? "unclear" : `${response.status} ${text}`;
  } catch {
    return "unclear";
  }
}
