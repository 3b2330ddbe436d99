/**
 * What keeps a pool's connections worth having. PostgreSQL may change while a connection lives: a primary that was
 * demoted keeps its connections and refuses every write on them, and a host that vanished answers nothing and breaks
 * nothing. Such a connection is given up, because the next one finds the new primary, or the host that is back.
 */
import { type QueryExecutorProvider, sql } from "kysely";
import pg from "pg";
import { socketOf } from "./begin-together.ts";
import { asConnectionLost, isReadOnly } from "./retry-transient.ts";

/** How long a new connection may take, until PostgreSQL has said that it is ready. */
export const connectWithinMs = 5_000;

export interface Tending {
  readonly url: string;
  /** When a statement has waited for as long, PostgreSQL is asked on a new connection whether it is there at all. */
  readonly patienceMs?: number;
  onError(error: Error): void;
}

interface Questions {
  /** When the oldest statement that waits for its answer was sent; undefined while none does. */
  since: number | undefined;
  open: number;
  readOnly: boolean;
}

/**
 * For the other side: when our host vanishes, PostgreSQL lets go of its locks within seconds and not after hours. Set
 * by a statement, because a pooler refuses what it does not know at the start of a connection.
 */
const letGoOfTheVanished = [
  "set tcp_keepalives_idle = 5",
  "set tcp_keepalives_interval = 2",
  "set tcp_keepalives_count = 5",
  "set idle_in_transaction_session_timeout = '60s'",
].join("; ");

/** The pool waits for it before it hands out a new connection, and gives the connection up when it fails. */
export async function introduceOurselves(client: pg.ClientBase): Promise<void> {
  // The driver's types do not know that a single statement may have a limit.
  const question: pg.QueryConfig & { query_timeout: number } = {
    text: letGoOfTheVanished,
    query_timeout: connectWithinMs,
  };
  await client.query(question);
}

export function tendConnections(pool: pg.Pool, { url, patienceMs = connectWithinMs, onError }: Tending): void {
  const tended = new Map<pg.ClientBase, Questions>();
  let watch: NodeJS.Timeout | undefined;
  let asking = false;
  nameUnreached(pool);

  pool.on("connect", (client) => {
    const questions: Questions = { since: undefined, open: 0, readOnly: false };
    tended.set(client, questions);
    watchQuestions(client, questions);
    // A slow statement is nobody's fault, so waiting alone ends nothing.
    watch ??= setInterval(() => void giveUpTheUnanswered(), patienceMs / 4).unref();
  });
  pool.on("release", (_, client) => {
    // The pool drops a connection that is at its end.
    if (tended.get(client)?.readOnly === true) end(client);
  });
  pool.on("remove", (client) => {
    tended.delete(client);
    if (tended.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  });

  async function giveUpTheUnanswered(): Promise<void> {
    const sentBefore = performance.now() - patienceMs;
    const unanswered = [...tended].filter(([, { since }]) => since !== undefined && since < sentBefore);
    if (asking || unanswered.length === 0) return;
    asking = true;
    const there = await replies(url, patienceMs);
    asking = false;
    if (there) return;
    for (const [client, { since }] of unanswered) if (tended.get(client)?.since === since) cut(client);
  }

  /** The statements that still wait fail. */
  function cut(client: pg.ClientBase): void {
    end(client);
    socketOf(client).destroy();
  }

  function end(client: pg.ClientBase): void {
    (client as pg.Client).end().catch(onError);
  }
}

type Connected = Parameters<Parameters<pg.Pool["connect"]>[0]>;

/** Callers who get no connection are told so in one way, whatever the reason; `pool.query` comes this way too. */
function nameUnreached(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const named = (callback?: (...connected: Connected) => void): Promise<pg.PoolClient> | undefined => {
    if (callback === undefined) return connect().catch(throwUnreached);
    connect((error, ...connected) => callback(error && asConnectionLost(error), ...connected));
    return undefined;
  };
  pool.connect = named as typeof pool.connect;
}

function throwUnreached(error: unknown): never {
  throw asConnectionLost(error);
}

function watchQuestions(client: pg.ClientBase, questions: Questions): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const answered = (): void => {
    questions.open -= 1;
    questions.since = questions.open === 0 ? undefined : performance.now();
  };
  const failed = (error: unknown): void => {
    answered();
    if (isReadOnly(error)) questions.readOnly = true;
  };
  const watched = (...given: unknown[]): unknown => {
    const asked = query(...given);
    if (!(asked instanceof Promise)) return asked;
    questions.open += 1;
    questions.since ??= performance.now();
    asked.then(answered, failed);
    return asked;
  };
  client.query = watched as typeof client.query;
}

async function replies(url: string, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Throws when PostgreSQL takes no writes, and has the connection replaced. */
export async function requirePrimary(db: QueryExecutorProvider): Promise<void> {
  await sql`
    do $$ begin
      if current_setting('transaction_read_only') = 'on' then
        raise exception 'PostgreSQL takes no writes here' using errcode = 'read_only_sql_transaction';
      end if;
    end $$`.execute(db);
}
