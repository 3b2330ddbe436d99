/**
 * `npm run production`: names everything that is missing before the first merchant. It reads the settings, the database
 * and the public address, and changes nothing. The exit code is 1 when something is missing.
 */

import { parseMasterKeys } from "../platform/secrets/crypto.ts";
import { checkMasterKeys } from "../platform/secrets/master-key-record.ts";
import { checkProduction } from "../production/check-production.ts";
import type { Finding } from "../production/finding.ts";
import { ConfigError, type Environment, readConfig } from "../start/config.ts";
import { demoMerchant } from "../start/first-start.ts";
import { house } from "../start/slices.ts";

const marks = { good: "✓", look: "!", missing: "✗" } as const;

process.exitCode = await check(process.env);

async function check(environment: Environment): Promise<number> {
  try {
    // Judged as if it were production: what it would refuse there is what this is for.
    const config = readConfig({ ...environment, NODE_ENV: "production" });
    const { databaseUrl, masterKey } = config;
    if (databaseUrl === undefined || masterKey === undefined)
      throw new ConfigError("The database or its key is not set.");
    const columns = house.sealedColumns;
    const findings = await checkProduction({
      ...config,
      databaseUrl,
      demoEmail: demoMerchant.email,
      now: new Date(),
      checkMasterKeys: (ownerUrl) =>
        checkMasterKeys({ ownerUrl, columns, keys: parseMasterKeys(masterKey), source: "JARA_MASTER_KEY" }),
    });
    return tell([...judgeMode(environment), ...findings]);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    return 1;
  }
}

function judgeMode({ NODE_ENV: mode }: Environment): Finding[] {
  if (mode === "production") return [];
  const says = `NODE_ENV is ${mode === undefined || mode === "" ? "not set" : mode}.`;
  return [{ topic: "mode", verdict: "missing", says, cure: "Set NODE_ENV=production." }];
}

function tell(findings: readonly Finding[]): number {
  for (const { topic, verdict, says, cure } of findings) {
    console.log(`${marks[verdict]} ${topic.padEnd(11)} ${says}`);
    if (cure !== undefined) console.log(`  ${" ".repeat(11)} ${cure}`);
  }
  const count = (verdict: Finding["verdict"]) => findings.filter((found) => found.verdict === verdict).length;
  const [lacking, toLookAt] = [count("missing"), count("look")];
  console.log(`\n${lacking} missing, ${toLookAt} to look at, ${count("good")} good.`);
  return lacking === 0 ? 0 : 1;
}
