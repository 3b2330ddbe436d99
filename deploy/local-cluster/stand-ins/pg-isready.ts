/** Stands in for `pg_isready -h HOST -p PORT -d DATABASE -U USER`: 0 takes connections, 1 refuses them, 2 is not there. */
import { parseArgs } from "node:util";
import pg from "pg";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    host: { ...text, short: "h" },
    port: { ...text, short: "p" },
    d: { ...text, short: "d" },
    U: { ...text, short: "U" },
  },
});

const client = new pg.Client({
  host: values.host ?? "127.0.0.1",
  port: Number(values.port ?? 5432),
  database: values.d ?? "postgres",
  user: values.U ?? "postgres",
  // Nobody asked for a password's owner: to be asked for one is an answer.
  password: "unknown",
  connectionTimeoutMillis: 3_000,
});
client.on("error", () => undefined);
try {
  await client.connect();
  process.exitCode = 0;
} catch (error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "57P03") process.exitCode = 1;
  // A code of PostgreSQL's own has five places; the system's are words.
  else process.exitCode = /^[0-9A-Z]{5}$/.test(code) ? 0 : 2;
}
await client.end().catch(() => undefined);
