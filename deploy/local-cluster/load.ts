/**
 * A merchant's server that pays at a steady pace, each payout under an Idempotency-Key and a reference. It writes down
 * every payout that was acknowledged and every reply that was not a success. What has no clear answer is sent again,
 * unchanged, as our guide says.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Client, Payment } from "../../tests/crash/client.ts";

export interface Load extends Client {
  /** Requests sent, those sent again included. */
  readonly requests: number;
  /** Replies that were not a success, by what they were. */
  readonly failures: ReadonlyMap<string, number>;
  /** The longest time in which nothing was acknowledged. */
  longestGapMs(): number;
  /** Resolves when so many were acknowledged since the start. */
  untilAcknowledged(count: number): Promise<void>;
}

export interface LoadOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly perSecond: number;
}

const lanes = 16;
const patienceMs = 30_000;
const restMs = 250;
/** What a sandbox's bank does with a reference that ends so; most are simply paid. */
const endings = ["", "", "", "", "", "", "", "_FAIL", "_REVERSE"] as const;

export function startLoad({ baseUrl, key, perSecond }: LoadOptions): Load {
  const acknowledged = new Map<string, Payment>();
  const attempted = new Map<string, Payment>();
  const failures = new Map<string, number>();
  const refused: string[] = [];
  let [stopping, count, requests, longestGapMs] = [false, 0, 0, 0];
  let [lastSuccess, nextSlot] = [performance.now(), performance.now()];

  const inTurn = async (): Promise<void> => {
    nextSlot = Math.max(performance.now(), nextSlot + 1_000 / perSecond);
    await pause(Math.max(0, nextSlot - performance.now()));
  };
  const noteSuccess = (): void => {
    longestGapMs = Math.max(longestGapMs, performance.now() - lastSuccess);
    lastSuccess = performance.now();
  };
  const pay = async (): Promise<void> => {
    count += 1;
    const reference = `drill-${count}${endings[count % endings.length]}`;
    const payment: Payment = { kind: "transfer", reference, amount: 100 + (count % 400) };
    attempted.set(reference, payment);
    while (!stopping) {
      requests += 1;
      const failure = await send(baseUrl, key, payment);
      if (failure === undefined) {
        acknowledged.set(reference, payment);
        return noteSuccess();
      }
      failures.set(failure.what, (failures.get(failure.what) ?? 0) + 1);
      if (!failure.again) return void refused.push(`${reference}: ${failure.what}`);
      await pause(restMs);
    }
  };
  const running = Array.from({ length: lanes }, async () => {
    while (!stopping) {
      await inTurn();
      if (!stopping) await pay();
    }
  });
  return {
    acknowledged,
    attempted,
    refused,
    failures,
    get requests() {
      return requests;
    },
    longestGapMs: () => longestGapMs,
    async untilAcknowledged(wanted) {
      while (acknowledged.size < wanted && !stopping) await pause(50);
    },
    async stop() {
      stopping = true;
      await Promise.all(running);
    },
  };
}

interface Failure {
  readonly what: string;
  /** Whether the same may be sent again. */
  readonly again: boolean;
}

async function send(baseUrl: string, key: string, { reference, amount }: Payment): Promise<Failure | undefined> {
  const account = { accountNumber: "0123456789", bankCode: "058" };
  try {
    const response = await fetch(`${baseUrl}/transfers`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": reference,
      },
      body: JSON.stringify({ ...account, currency: "NGN", reference, amount, narration: reference }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    if (response.ok) return undefined;
    const code = /"code":"([a-z_]+)"/.exec(text)?.[1] ?? "no code";
    return { what: `${response.status} ${code}`, again: response.status >= 500 || code === "idempotency_key_in_use" };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return { what: `no reply: ${cause}`, again: true };
  }
}
