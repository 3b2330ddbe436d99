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
  /** Accepted by a 2xx answer, by reference. */
  readonly acknowledged: ReadonlyMap<string, Payment>;
  /** Everything that was ever sent. */
  readonly attempted: ReadonlyMap<string, Payment>;
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

const endings = ["", "", "", "", "", "", "_FAIL", "_TIMEOUT", "_REVERSE"] as const;
const lanes = 6;

export function startClient(baseUrl: string, key: string, random: Random): Client {
  const acknowledged = new Map<string, Payment>();
  const attempted = new Map<string, Payment>();
  const refused: string[] = [];
  let stopping = false;
  let count = 0;

  async function pay(): Promise<void> {
    count += 1;
    const payment: Payment = {
      kind: random.pick(["transfer", "transfer", "bill"]),
      reference: `crash-${count}${random.pick(endings)}`,
      amount: random.between(10_000, 500_000) / 100,
    };
    attempted.set(payment.reference, payment);
    for (let attempt = 0; !stopping && attempt < 200; attempt += 1) {
      const answer = await send(baseUrl, key, payment);
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
    while (!stopping) await pay();
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
  return {
    path: "/transfers",
    body: { accountNumber: "0123456789", bankCode: "058", currency: "NGN", reference, amount },
  };
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
