/**
 * `npm run test:restore -- --payouts 1000000`: how long a backup and a restore of so many payouts take. Some are paid
 * for real, the others are copies of them. The disk is thrown away, the backup is brought back with what was paid after
 * it, and the ledger is verified.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveAll, query } from "./ask-database.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { fund } from "./fund.ts";
import { multiplyPayouts } from "./multiply-payouts.ts";
import { runProgram, verify } from "./verify.ts";

const paidForReal = 1_000;
const paidAfterwards = 100;
const lanes = 20;

export async function restoreMany(payouts: number): Promise<readonly string[]> {
  const place = mkdtempSync(join(tmpdir(), "jara-restore-"));
  try {
    return await loseMany(place, Math.max(1, Math.round(payouts / paidForReal)));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function loseMany(place: string, times: number): Promise<readonly string[]> {
  const [home, newHome, backups] = [join(place, "machine"), join(place, "new-machine"), join(place, "backups")];
  mkdirSync(backups);
  const environmentId = await timed("making the payouts", () => fill(home, times));
  const fleet = await startFleet(home, { archiveTo: backups });
  const before = await describe(fleet, environmentId);
  console.log(`${before.transfers} payouts, ${before.entries} entries, ${before.megabytes} MB`);
  await timed("backup", () => runProgram("back-up.ts", { JARA_HOME: home, JARA_BACKUP_FOLDER: backups }));
  await pay(fleet, "after", paidAfterwards);
  await untilDone(fleet, environmentId);
  await archiveAll(fleet.ownerUrl);
  await fleet.perish();

  mkdirSync(newHome);
  for (const name of ["master-key", "operator-token"]) copyFileSync(join(home, name), join(newHome, name));
  rmSync(home, { recursive: true });
  await timed("restore", () => runProgram("restore.ts", { JARA_HOME: newHome }, ["--from", backups]));
  const restored = await timed("start", () => startFleet(newHome));
  try {
    const wrong = await timed("verify", () => verify(restored));
    const after = await describe(restored, environmentId);
    const wanted = before.transfers + paidAfterwards;
    console.log(`${after.transfers} payouts restored, ${after.entries} entries`);
    return [
      ...wrong,
      ...(after.transfers === wanted ? [] : [`${wanted} payouts were paid, ${after.transfers} are there`]),
    ];
  } finally {
    await restored.stop();
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round((performance.now() - began) / 1_000)} s`);
  return result;
}

/** Without an archive: what was written on the way to the first backup is nobody's. */
async function fill(home: string, times: number): Promise<string> {
  const fleet = await startFleet(home);
  try {
    const { environmentId } = await fund(fleet.baseUrl, keyOf(home), fleet.ownerUrl);
    await pay(fleet, "real", paidForReal);
    await untilDone(fleet, environmentId);
    await multiplyPayouts(fleet.ownerUrl, environmentId, times);
    return environmentId;
  } finally {
    await fleet.stop();
  }
}

function keyOf(home: string): string {
  return JSON.parse(readFileSync(join(home, "dev.json"), "utf8")).secretKey;
}

async function pay({ baseUrl, home }: Fleet, name: string, count: number): Promise<void> {
  const key = keyOf(home);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const payee = { accountNumber: "0690000032", bankCode: "044", currency: "NGN" };
      const reply = await fetch(`${baseUrl}/transfers`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...payee, amount: 100, reference: `${name}-${next}` }),
      });
      if (reply.status !== 201) throw new Error(`a payout was refused: ${await reply.text()}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Nothing is under way, and every account has folded what it was told. */
async function untilDone({ ownerUrl }: Fleet, environmentId: string): Promise<void> {
  const open = `select (select count(*) from transfers where environment_id = $1 and completed_at is null)
    + (select count(*) from events where environment_id = $1 and list_position is null) as open`;
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const [row] = await query<{ open: string }>(ownerUrl, open, [environmentId]);
    if (Number(row?.open) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("payouts never came to an end");
}

async function describe({ ownerUrl }: Fleet, environmentId: string) {
  const [row] = await query<Record<"transfers" | "entries" | "bytes", string>>(
    ownerUrl,
    `select (select count(*) from transfers where environment_id = $1) as transfers,
       (select count(*) from entries where environment_id = $1) as entries,
       pg_database_size(current_database()) as bytes`,
    [environmentId],
  );
  return {
    transfers: Number(row?.transfers),
    entries: Number(row?.entries),
    megabytes: Math.round(Number(row?.bytes) / 1e6),
  };
}
