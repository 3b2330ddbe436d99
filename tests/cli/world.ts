/** The whole API behind a real socket with its worker running, and the command that speaks to it. */
import { afterAll } from "vitest";
import { createEnvironmentLocks } from "../../server/src/platform/time/environment-lock.ts";
import { startWorker } from "../../server/src/start/tasks.ts";
import { createMerchant } from "../../server/testing/factories.ts";
import { eventually, silentLog } from "../../server/testing/work.ts";
import { createProduct, type Product } from "../sdk/product.ts";
import { createJara, type Jara } from "./jara-process.ts";

export interface Sandbox {
  readonly jara: Jara;
  readonly sdk: Product["jara"];
}

export interface CommandWorld extends Pick<Product, "baseUrl" | "operatorToken"> {
  readonly jara: Jara;
  /** With a home of its own, that remembers nothing, and the first merchant's key unless another is given. */
  createJara(key?: string): Jara;
  /** Of a further merchant, with money in it: what moves its clock disturbs nobody else. */
  createSandbox(): Promise<Sandbox>;
  /** Without a key of its own. */
  readonly keyless: Jara;
  readonly sdk: Product["jara"];
  /** The one that `sdk` and `jara` use. */
  readonly secretKey: string;
  /** Another merchant's. */
  readonly otherKey: string;
}

export async function createCommandWorld(): Promise<CommandWorld> {
  const product = await createProduct();
  const { baseUrl, operatorToken, merchant, otherMerchant, jara: sdk, db, appUrl, tasks } = product;
  const locks = createEnvironmentLocks({ url: appUrl });
  const worker = await startWorker({ db, log: silentLog, locks, tasks, directUrl: appUrl, graceMs: 2_000 });
  afterAll(async () => {
    await worker.stop();
    await locks.close();
  });
  await sdk.sandbox.clock.set({ mode: "running" });
  // Whoever listens from now on must not hear of the money that the wallet was given before.
  const logged = async () => (await sdk.events.list().page()).items.length > 0;
  await eventually("the wallet's credit is in the log", logged);
  const env = { JARA_BASE_URL: baseUrl };
  const { secretKey } = merchant;
  const create = (key = secretKey) => createJara({ ...env, JARA_SECRET_KEY: key });
  const createSandbox = async (): Promise<Sandbox> => {
    const { secretKey: key } = await createMerchant(db);
    const own = product.connect({ secretKey: key });
    await own.sandbox.wallets.fund({ amount: 1_000_000 });
    return { jara: create(key), sdk: own };
  };
  const commands = { createSandbox, keyless: createJara(env), jara: create(), createJara: create };
  return { baseUrl, operatorToken, sdk, secretKey, otherKey: otherMerchant.secretKey, ...commands };
}
