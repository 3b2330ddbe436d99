/**
 * The books of simulated rails. A statement sees the page of one sandbox, which row level security takes from a
 * setting. A statement alone has the setting and itself sent together, as one text: both run in one transaction, in one
 * round trip, also behind a pooler. That form has no parameters, so the driver's own quoting writes the values in.
 */
import pg from "pg";
import { hasCode } from "../platform/database/retry-transient.ts";

type Scalar = string | number | bigint | boolean | Date | null;
type Value = Scalar | readonly Scalar[];

/** What a store asks through. `$1` of every statement is the sandbox. */
export interface Books {
  query<Row extends pg.QueryResultRow>(text: string, values: readonly Value[]): Promise<pg.QueryResult<Row>>;
}

/** Asks for one sandbox, each statement in a transaction of its own. */
export function booksOf(pool: pg.Pool, sandbox: string): Books {
  return {
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly Value[]) {
      const written = text.replaceAll(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1]));
      const results = await pool.query(`${entering(sandbox)}; ${written}`);
      const answer = (results as unknown as pg.QueryResult<Row>[])[1];
      if (answer === undefined) throw new Error("the books gave no answer");
      return answer;
    },
  };
}

function entering(sandbox: string): string {
  return `select set_config('jara.environment_id', ${pg.escapeLiteral(sandbox)}, true)`;
}

function literal(value: Value | undefined): string {
  if (value === undefined) throw new Error("a statement names a value that it was not given");
  if (value === null) return "null";
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (typeof value === "object") return `${pg.escapeLiteral(`{${value.map(element).join(",")}}`)}::text[]`;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : pg.escapeLiteral(String(value));
}

/** One text for a whole array is read faster than as many literals. A statement that wants another type says so. */
function element(value: Scalar): string {
  if (value === null) return "null";
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** How an insert ends: `returning …`, or before it `on conflict …`. */
export interface Endings {
  readonly whenAllAreNew: string;
  readonly whenSomeAreKnown: string;
}

/**
 * Books rows of which hardly any is booked already. To look out for those writes more than to book, so that is done
 * only after the plain insert, which is all or nothing, met one.
 */
export async function bookRows<Row extends pg.QueryResultRow>(
  books: Books,
  insert: string,
  { whenAllAreNew, whenSomeAreKnown }: Endings,
  values: readonly Value[],
): Promise<readonly Row[]> {
  const booked = await books.query<Row>(`${insert} ${whenAllAreNew}`, values).catch((error: unknown) => {
    if (!hasCode(error, "23505")) throw error;
    return books.query<Row>(`${insert} ${whenSomeAreKnown}`, values);
  });
  return booked.rows;
}

/** Runs `work` for one sandbox in one transaction of a simulated rail's own books. */
export async function inBooks<T>(
  pool: pg.Pool,
  sandbox: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`begin; ${entering(sandbox)}`);
    const done = await work(client);
    await client.query("commit");
    return done;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the others.
    await client.query("rollback").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
