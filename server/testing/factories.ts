/** Records that most tests begin with, made by the same use cases as real ones. */
import type { IssuedKey } from "../src/auth/api-key.ts";
import { issueKey } from "../src/auth/issue-key.ts";
import { addEnvironment } from "../src/merchants/add-environment.ts";
import { createMerchant as createMerchantRecord } from "../src/merchants/create-merchant.ts";
import type { Environment, Merchant } from "../src/merchants/merchant.ts";
import { type Database, inEnvironment, operatorScope } from "../src/platform/database/database.ts";
import type { Origin } from "../src/platform/records/audit.ts";
import { openEnvironment } from "../src/start/open-environment.ts";

export interface TestMerchant {
  readonly merchant: Merchant;
  /** The sandbox. */
  readonly environment: Environment;
  readonly key: IssuedKey;
  /** What goes after `Bearer `. */
  readonly secretKey: string;
}

export const testOrigin: Origin = { actor: "test", address: "127.0.0.1", requestId: "test-request" };

/** The id of a LIVE environment of a new merchant. */
export async function createLive(db: Database): Promise<string> {
  const { merchant } = await createMerchant(db);
  const live = { merchantId: merchant.id, kind: "LIVE", name: "Live", origin: testOrigin } as const;
  const opened = await inEnvironment(db, operatorScope, (tx) =>
    addEnvironment(tx, { ...live, environmentOpened: openEnvironment }),
  );
  return opened.id;
}

/** A merchant with its sandbox and a key that may do everything there. */
export function createMerchant(db: Database, name = "Mama Put Foods"): Promise<TestMerchant> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const merchant = await createMerchantRecord(tx, {
      name,
      email: "owner@example.com",
      origin: testOrigin,
      environmentOpened: openEnvironment,
    });
    const [environment] = merchant.environments;
    if (environment === undefined) throw new Error("a merchant came without a sandbox");
    const key = await issueKey(tx, { environmentId: environment.id, name: "Test", origin: testOrigin });
    return { merchant, environment, key, secretKey: key.key };
  });
}
