/** A merchant's calls to one of several servers, and payouts and bills that go on and on through all of them. */
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";

/** What is looked at in any record. */
export interface Listed {
  readonly id: string;
  readonly key: string;
  readonly status: string;
  readonly available: number;
  readonly held: number;
  readonly totalDebited: number;
  readonly commission: number;
}

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly code: string;
    readonly data: Listed & Listed[];
    readonly pagination: { readonly hasNextPage: boolean };
    readonly missingCells?: readonly string[];
  };
}

export async function askAt(port: number, key: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), body: await reply.json() };
}

export interface Load {
  readonly ids: Set<string>;
  readonly bills: Set<string>;
  refused: number;
  stop(): Promise<void>;
}

const payout = { accountNumber: "0690000032", bankCode: "044", amount: 2500.5, currency: "NGN" };
const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 500 };

/** Enough for some orders to be in hand at any moment. With less the lanes take the processor from what they are beside. */
const betweenOrdersMs = 50;

/** Pays on and on through both servers, each order under its own reference, and tries again when it is told to. */
export function startPaying(ports: readonly number[], key: string, name: string): Load {
  let running = true;
  const load = { ids: new Set<string>(), bills: new Set<string>(), refused: 0 };
  const pay = async (path: string, order: object, ids: Set<string>, port: number): Promise<void> => {
    for (let turn = 0; running; turn += 1) {
      const body = { ...order, reference: `${name}-${port}-${turn}` };
      let reply = await askAt(port, key, "POST", path, body);
      while (reply.status === 503) {
        expect([reply.body.code, reply.retryAfter]).toEqual(["environment_moving", "2"]);
        load.refused += 1;
        await pause(50);
        reply = await askAt(port, key, "POST", path, body);
      }
      expect([200, 201, 202], JSON.stringify(reply.body)).toContain(reply.status);
      ids.add(reply.body.data.id);
      await pause(betweenOrdersMs);
    }
  };
  const lanes = Promise.all(
    ports.flatMap((port) => [
      pay("/transfers", payout, load.ids, port),
      pay("/bills/airtime/vend", airtime, load.bills, port),
    ]),
  );
  return {
    get ids() {
      return load.ids;
    },
    get bills() {
      return load.bills;
    },
    get refused() {
      return load.refused;
    },
    async stop() {
      running = false;
      await lanes;
    },
  };
}
