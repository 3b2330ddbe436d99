import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { createAuthenticator } from "./authenticate.ts";

const { db } = await createTestDatabase();

test("a key tells whose it is", async () => {
  const { merchant, environment, key, secretKey } = await createMerchant(db);
  const caller = await createAuthenticator({ db }).authenticate(`Bearer ${secretKey}`, "127.0.0.1");
  expect(caller).toEqual({
    environmentId: environment.id,
    kind: "SANDBOX",
    merchantId: merchant.id,
    keyId: key.id,
    scopes: ["*"],
  });
});
