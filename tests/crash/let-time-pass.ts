/**
 * A live environment follows the world's clock, and the rules wait for minutes: an order that the bank has no record of
 * is sent again after ten. Nobody moves that clock. So what was written down before is made older instead, which to the
 * servers is the same as minutes that went by.
 */
import pg from "pg";

const minutes = 15;

/** A row that somebody works on at this moment is left for the next time. */
const older = [
  `update transfers set sent_at = sent_at - $1::interval, claim_at = claim_at - $1::interval
   where (environment_id, id) in (select environment_id, id from transfers
     where status in ('pending', 'processing') for update skip locked)`,
  `update agenda set due_at = due_at - $1::interval, wake_at = wake_at - $1::interval
   where (environment_id, id) in (select environment_id, id from agenda for update skip locked)`,
  `update rail_hints set next_at = next_at - $1::interval
   where id in (select id from rail_hints where done_at is null for update skip locked)`,
];

const openCount = `
  select (select count(*) from transfers where status in ('pending', 'processing'))
    + (select count(*) from rail_hints where done_at is null) as open`;

/** Makes minutes go by until nothing is open any more; returns how much still was when patience ran out. */
export async function letTimePass(ownerUrl: string, patienceMs: number): Promise<number> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      const result = await owner.query<{ open: string }>(openCount);
      const open = Number(result.rows[0]?.open);
      if (open === 0 || performance.now() > deadline) return open;
      for (const statement of older) await owner.query(statement, [`${minutes} minutes`]);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } finally {
    await owner.end();
  }
}
