import type pg from "pg";

/** Runs `work` in one transaction of a simulated rail's own books. */
export async function inBooks<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("begin");
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
