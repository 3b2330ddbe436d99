/** The PostgreSQL that a server has brought along. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** What PostgreSQL says of itself: empty while it is not there. */
function readPidFile(home: string): string[] {
  const file = join(home, "postgres", "data", "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/** 0 while it has none. */
export const postmasterPid = (home: string): number => Number(readPidFile(home)[0] ?? 0);

/** As the owner of everything. */
export async function askPostgres(home: string, statement: string): Promise<void> {
  const password = readFileSync(join(home, "postgres", "password"), "utf8");
  const connectionString = `postgres://jara_owner:${password}@127.0.0.1:${readPidFile(home)[3]}/jara`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
