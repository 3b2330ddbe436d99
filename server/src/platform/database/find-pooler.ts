/**
 * Notices a pooler such as pgbouncer between us and PostgreSQL. In transaction mode it hands every transaction to
 * another session, so statements prepared by name, LISTEN and session locks do not work through it. A pooler tells its
 * callers a process number of its own at the beginning; PostgreSQL itself, asked afterwards, names another one.
 */
import pg from "pg";
import { connectWithinMs } from "./tend-connections.ts";

export async function isPooled(url: string): Promise<boolean> {
  const client: pg.Client & { readonly processID?: number | null } = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: connectWithinMs,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const asked = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return asked.rows[0]?.pid !== client.processID;
  } finally {
    await client.end();
  }
}
