/** A merchant with a live environment that pays out through a bank on this machine, as an operator sets it up. */
import type { Doors } from "./bank.ts";

export interface LiveShop {
  readonly environmentId: string;
  readonly key: string;
  readonly connectionId: string;
  readonly doors: Doors;
  /** Kobo in the wallet. */
  readonly funded: bigint;
}

const naira = 500_000_000;

export async function openLive(baseUrl: string, operatorToken: string, bankUrl: string): Promise<LiveShop> {
  const send = async <Data>(method: string, path: string, body: object | undefined, token: string): Promise<Data> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, message } = (await response.json()) as { data: Data; message: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${message}`);
    return data;
  };
  const operate = <Data>(method: string, path: string, body: object): Promise<Data> =>
    send(method, `/operator/${path}`, body, operatorToken);

  const { id: merchantId } = await operate<{ id: string }>("POST", "merchants", {
    name: "Balogun Home",
    email: "ada@balogun.example",
  });
  const live = { kind: "LIVE", name: "Live" };
  const { id: environmentId } = await operate<{ id: string }>("POST", `merchants/${merchantId}/environments`, live);
  const { key } = await operate<{ key: string }>("POST", `environments/${environmentId}/keys`, { name: "Campaign" });
  const connection = await operate<{ id: string } & Doors>("POST", "connections", {
    provider: "paystack",
    name: "Paystack",
    mode: "live",
    ports: ["bank"],
    credentials: { secretKey: "sk_live_twin" },
    baseUrl: bankUrl,
  });
  await operate("PUT", "routes/bank", { connections: [connection.id] });
  const { accountId } = await send<{ accountId: string }>("GET", "/wallets/balance", undefined, key);
  const credit = { amount: naira, reference: "campaign-float", reason: "Money for the campaign" };
  await operate("POST", `wallets/${accountId}/credit`, credit);
  const { id: connectionId, hookUrl, approvalUrl } = connection;
  return { environmentId, key, connectionId, doors: { hookUrl, approvalUrl }, funded: BigInt(naira) * 100n };
}
