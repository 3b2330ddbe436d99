/** The whole API behind a real socket, and SDK clients of its merchants. */
import type { AddressInfo } from "node:net";
import { Jara, type JaraOptions } from "../../sdk/src/index.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../../server/testing/app.ts";

export interface Product extends TestApp {
  readonly baseUrl: string;
  /** The first merchant's client. */
  readonly jara: Jara;
  connect(options?: Partial<JaraOptions>): Jara;
}

/** Money in the wallet, and a clock that stands still: what falls due happens before the reply. */
export async function createProduct(options: TestAppOptions = {}): Promise<Product> {
  const app = await createTestApp(options);
  await app.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.app.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const { secretKey } = app.merchant;
  const connect = (more: Partial<JaraOptions> = {}) => new Jara({ secretKey, baseUrl, ...more });
  await app.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "sdk" } });
  await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  return { ...app, baseUrl, connect, jara: connect() };
}
