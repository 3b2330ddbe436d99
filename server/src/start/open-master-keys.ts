/** Finds the master keys, and lets nobody work with keys that do not fit the database. */
import { join } from "node:path";
import { generateMasterKey, type MasterKeys, parseMasterKeys } from "../platform/secrets/crypto.ts";
import { keepSecret, readSecret } from "../platform/secrets/home.ts";
import { agreeOnMasterKeys } from "../platform/secrets/master-key-record.ts";
import type { Config } from "./config.ts";
import { house } from "./slices.ts";

const secretName = "master-key";

export async function openMasterKeys(config: Config, ownerUrl: string): Promise<MasterKeys> {
  const source = config.masterKey === undefined ? join(config.home, secretName) : "JARA_MASTER_KEY";
  const agree = (keys: MasterKeys | undefined) =>
    agreeOnMasterKeys({ ownerUrl, columns: house.sealedColumns, keys, source });
  let text = config.masterKey ?? readSecret(config.home, secretName);
  if (text === undefined) {
    // A new key is made only for a database that expects none: a lost one must not be covered up.
    const refusal = await agree(undefined).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    // Another server on this home may have made one since we looked.
    text =
      refusal === undefined
        ? keepSecret(config.home, secretName, generateMasterKey)
        : readSecret(config.home, secretName);
    if (text === undefined) throw refusal?.error;
  }
  const keys = parseMasterKeys(text);
  await agree(keys);
  return keys;
}
