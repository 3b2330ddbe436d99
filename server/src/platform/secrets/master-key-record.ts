/**
 * The database knows which master keys it was sealed under. A server with a wrong key would otherwise look healthy,
 * fail wherever something sealed is read, and take known people for new ones, because their blind indexes differ. So
 * every start compares its keys with the record, and ends with a sentence when they do not fit:
 *
 *   a version is recorded with another key     refused: a version names one key for ever
 *   a recorded version is not set              refused while anything is sealed under it; then it is retired
 *   a new version is set                       recorded: an exchange of keys has begun
 *   nothing is recorded, nothing is sealed     recorded: the first start
 *   nothing is recorded, something is sealed   a database from before the record: the keys must open samples of it
 *
 * An exchange that was cut short needs no case of its own: both versions are recorded and in use until the last value
 * is sealed again. Servers that start together take turns.
 */
import pg from "pg";
import {
  createSealer,
  keyCheck,
  keyId,
  type MasterKey,
  type MasterKeys,
  nameKey,
  SealError,
  sealedKeyVersion,
} from "./crypto.ts";
import { type SealedColumn, sealedContext } from "./reseal.ts";

export interface KeyQuestion {
  readonly ownerUrl: string;
  readonly columns: readonly SealedColumn[];
  /** Undefined when no key is set: fine for a database that was never sealed under any. */
  readonly keys: MasterKeys | undefined;
  /** Where the keys were read from, and belong: for the person who has to put it right. */
  readonly source: string;
}

interface Recorded {
  readonly version: number;
  readonly check: Buffer;
  readonly retired: boolean;
}

interface Sample {
  readonly version: number;
  readonly context: string;
  readonly sealed: Buffer;
}

const samplesPerColumn = 20;

/** Throws the sentence for the operator when the keys do not fit the database; otherwise the record follows the keys. */
export async function agreeOnMasterKeys(question: KeyQuestion): Promise<void> {
  await underLock(question, async (client) => record(client, question.keys ?? []));
}

/** The same sentences, and nothing is recorded. */
export async function checkMasterKeys(question: KeyQuestion): Promise<void> {
  await underLock(question, async () => undefined);
}

async function underLock(question: KeyQuestion, then: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: question.ownerUrl, application_name: "jara-master-keys" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtext('jara.master_keys'))");
    await compare(client, question);
    await then(client);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

async function compare(client: pg.Client, question: KeyQuestion): Promise<void> {
  const { source, keys = [] } = question;
  const recorded = await readRecorded(client);
  for (const key of keys) refuseAnotherKey(key, recorded, source);
  const missing = recorded.filter(({ version, retired }) => !retired && !keys.some((key) => key.version === version));
  if (question.keys === undefined && missing.length > 0) throw refusal(noKey(missing, source));
  if (missing.length === 0 && recorded.length > 0) return;
  // Every value is looked at here, once: the outcome is recorded.
  const samples = await readSamples(client, question.columns);
  const needed = missing.filter(({ version }) => samples.some((sample) => sample.version === version));
  if (needed.length > 0) throw refusal(stillNeeded(needed, keys, source));
  if (recorded.length === 0) refuseUnlessOpens(question, samples);
}

function refuseAnotherKey(key: MasterKey, recorded: readonly Recorded[], source: string): void {
  const known = recorded.find(({ version }) => version === key.version);
  const check = keyCheck(key);
  if (known === undefined || known.check.equals(check)) return;
  const advice = known.retired
    ? `v${key.version} was exchanged before; give a new key the next free version.`
    : `Set the right key in ${source} and start again.`;
  throw refusal(
    `The master key v${key.version} in ${source} is not the one of this database: its id should be ` +
      `${keyId(known.check)}, and is ${keyId(check)}. ${advice}`,
  );
}

function noKey(missing: readonly Recorded[], source: string): string {
  return (
    `No master key is set, and this database was sealed under ${missing.map(nameOf).join(" and ")}. ` +
    `Set it in JARA_MASTER_KEY, or put it back into ${source}, and start again.`
  );
}

function stillNeeded(needed: readonly Recorded[], keys: readonly MasterKey[], source: string): string {
  const set = keys.map(nameKey).join(" and ");
  return (
    `This database holds data sealed under the master key ${needed.map(nameOf).join(" and ")}, and ${source} holds ` +
    `only ${set}. Add the missing key behind the first one and start again. ` +
    "Before a key is taken out, npm run rotate-keys has to seal everything under the new one."
  );
}

/** A database from before the record. Of one that once ran under a wrong key, most must open. */
function refuseUnlessOpens({ keys, source }: KeyQuestion, samples: readonly Sample[]): void {
  if (samples.length === 0) return;
  const versions = [...new Set(samples.map(({ version }) => version))].sort((a, b) => a - b);
  if (keys === undefined) {
    const names = versions.map((version) => `v${version}`).join(" and ");
    throw refusal(
      `No master key is set, and this database holds data sealed under ${names}. ` +
        `Set the key in JARA_MASTER_KEY, or put it back into ${source}, and start again.`,
    );
  }
  const sealer = createSealer(keys);
  for (const version of versions) {
    const ofVersion = samples.filter((sample) => sample.version === version);
    const opened = ofVersion.filter((sample) => opens(() => sealer.open(sample.sealed, sample.context))).length;
    if (opened * 2 >= ofVersion.length) continue;
    throw refusal(
      `The master keys in ${source} open ${opened} of ${ofVersion.length} values looked at that were sealed under ` +
        `v${version}. Set the key that this database was used with so far and start again.`,
    );
  }
}

function opens(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}

function nameOf({ version, check }: Recorded): string {
  return `v${version} (id ${keyId(check)})`;
}

function refusal(sentence: string): Error {
  return new Error(`${sentence} No data was changed.`);
}

async function readRecorded(client: pg.Client): Promise<Recorded[]> {
  const found = await client.query<Recorded>(
    `select version, check_value as check, retired_at is not null as retired from master_keys order by version`,
  );
  return found.rows;
}

/** The look-up role sees every environment's rows, which an owner does not. */
async function readSamples(client: pg.Client, columns: readonly SealedColumn[]): Promise<Sample[]> {
  await client.query("set local role jara_lookup");
  const samples: Sample[] = [];
  for (const column of columns) samples.push(...(await readSamplesOf(client, column)));
  await client.query("set local role none");
  return samples;
}

async function readSamplesOf(client: pg.Client, place: SealedColumn): Promise<Sample[]> {
  const { table, column, key, scope = "environment_id" } = place;
  // The version stands in the second and third byte of what `seal` writes.
  const version = `substring(${column} from 2 for 2)`;
  const versions = await client.query<{ version: Buffer }>(
    `select distinct ${version} as version from ${table} where ${column} is not null`,
  );
  const samples: Sample[] = [];
  for (const found of versions.rows) {
    const rows = await client.query<{ environment: string; key: string; sealed: Buffer }>(
      `select ${scope} as environment, ${key}::text as key, ${column} as sealed from ${table}
       where ${column} is not null and ${version} = $1 order by ${scope}, ${key} limit ${samplesPerColumn}`,
      [found.version],
    );
    for (const row of rows.rows) {
      const sealedUnder = sealedKeyVersion(row.sealed);
      if (sealedUnder === undefined) continue;
      samples.push({
        version: sealedUnder,
        context: sealedContext(place, row.environment, row.key),
        sealed: row.sealed,
      });
    }
  }
  return samples;
}

async function record(client: pg.Client, keys: readonly MasterKey[]): Promise<void> {
  if (keys.length === 0) return;
  const versions = keys.map((key) => key.version);
  await client.query(
    `insert into master_keys (version, check_value) select * from unnest($1::integer[], $2::bytea[])
     on conflict (version) do update set retired_at = null where master_keys.retired_at is not null`,
    [versions, keys.map(keyCheck)],
  );
  await client.query(
    "update master_keys set retired_at = now() where retired_at is null and version <> all ($1::integer[])",
    [versions],
  );
}
