import pg from "pg";

/** Fills the demo merchant's wallet. */
export async function fund(
  baseUrl: string,
  key: string,
  ownerUrl: string,
): Promise<{ environmentId: string; funded: bigint }> {
  await fetch(`${baseUrl}/sandbox/wallets/fund`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1_000_000_000 }),
  });
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const result = await owner.query<{ environment_id: string; balance: bigint }>(
    `select environment_id, sum(balance)::bigint as balance from accounts where purpose = 'wallet'
     group by environment_id`,
  );
  await owner.end();
  const [wallet] = result.rows;
  if (wallet === undefined) throw new Error("the demo sandbox has no wallet");
  return { environmentId: wallet.environment_id, funded: wallet.balance };
}
