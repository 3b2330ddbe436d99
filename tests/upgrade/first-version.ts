/** A database as the first version left it: its migrations, and the rows of first-version.tsv.gz (see README.md). */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { migrate } from "../../server/src/platform/database/migrations.ts";

const lastMigration = "0026-unknown-card-refunds.sql";
const allMigrations = join(import.meta.dirname, "..", "..", "server", "migrations");

export interface FirstVersion {
  readonly masterKey: string;
}

/** Fills an empty database. */
export async function restoreFirstVersion(ownerUrl: string): Promise<FirstVersion> {
  const folder = mkdtempSync(join(tmpdir(), "jara-first-"));
  for (const name of readdirSync(allMigrations).filter((each) => each <= lastMigration)) {
    copyFileSync(join(allMigrations, name), join(folder, name));
  }
  await migrate(ownerUrl, folder);
  rmSync(folder, { recursive: true });
  const lines = gunzipSync(readFileSync(join(import.meta.dirname, "first-version.tsv.gz"))).toString();
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // The rows were consistent where they come from: no trigger does its work a second time.
    await client.query("begin; set local session_replication_role = replica");
    for (const line of lines.trimEnd().split("\n")) await restore(client, line);
    await client.query("commit");
  } finally {
    await client.end();
  }
  const masterKey = lines.match(/^master key\t(.*)$/m)?.[1];
  if (masterKey === undefined) throw new Error("the rows come without their master key");
  return { masterKey };
}

/** "schema.table", a tab, the row as JSON; or a sequence and where it stands. */
async function restore(client: pg.Client, line: string): Promise<void> {
  const [what = "", value = ""] = line.split("\t");
  if (what === "master key") return;
  const sequence = /^sequence (.*)$/.exec(what)?.[1];
  if (sequence !== undefined) return void (await client.query("select setval($1, $2)", [sequence, value]));
  const columns = Object.keys(JSON.parse(value)).join(", ");
  // Some rows the migrations made themselves.
  await client.query(
    `insert into ${what} (${columns}) overriding system value
     select ${columns} from jsonb_populate_record(null::${what}, $1) on conflict do nothing`,
    [value],
  );
}
