/** A sandbox with money, made through the API like everybody else's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Payer {
  readonly environmentId: string;
  readonly key: string;
  readonly mainWallet: string;
  /** A thousand funded sub-accounts. */
  readonly wallets: readonly string[];
}

export interface Api {
  post<T>(path: string, key: string, body: unknown): Promise<T>;
  put<T>(path: string, key: string, body: unknown): Promise<T>;
  get<T>(path: string, key: string): Promise<T>;
  remove(path: string, key: string): Promise<void>;
}

export function apiAt(port: number): Api {
  const call = async <T>(method: string, path: string, key: string, body?: unknown): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text).data;
  };
  return {
    post: (path, key, body) => call("POST", path, key, body),
    put: (path, key, body) => call("PUT", path, key, body),
    get: (path, key) => call("GET", path, key),
    remove: (path, key) => call("DELETE", path, key),
  };
}

export async function createPayer(api: Api, operatorToken: string, walletCount: number): Promise<Payer> {
  const merchant = await api.post<{ environments: { id: string }[] }>("/operator/merchants", operatorToken, {
    name: "Bench",
    email: "bench@example.com",
  });
  const environmentId = merchant.environments[0]?.id ?? "";
  const issued = await api.post<{ key: string }>(`/operator/environments/${environmentId}/keys`, operatorToken, {
    name: "Bench",
  });
  const { key } = issued;
  const main = await api.get<{ accountId: string }>("/wallets/balance", key);
  await api.post("/sandbox/wallets/fund", key, { amount: 10_000_000_000 });
  const wallets: string[] = [];
  for (let count = 0; count < walletCount; count += 1) {
    const wallet = await api.post<{ id: string }>("/wallets/sub-accounts", key, { accountName: `Wallet ${count}` });
    await api.post("/sandbox/wallets/fund", key, { amount: 1_000_000_000, accountId: wallet.id });
    wallets.push(wallet.id);
  }
  return { environmentId, key, mainWallet: main.accountId, wallets };
}

export function readOperatorToken(home: string): string {
  return JSON.parse(readFileSync(join(home, "dev.json"), "utf8")).operatorToken;
}
