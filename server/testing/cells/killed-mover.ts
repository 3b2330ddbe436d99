/** Movers that are killed with -9: at a step, or in the middle of the copy. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { CellAddresses, MoveStep } from "../../src/cells/move-environment.ts";
import { eventually } from "../work.ts";

const program = fileURLToPath(new URL("./mover-process.ts", import.meta.url));

export interface KilledMove {
  readonly cells: CellAddresses;
  readonly environmentId: string;
  readonly to: string;
}

/** Starts a move and kills it when it stands still after `step`. */
export async function killAfter(move: KilledMove, step: MoveStep): Promise<void> {
  const mover = startMover(move, step);
  let printed = "";
  mover.stdout?.on("data", (chunk) => {
    printed += chunk;
  });
  await eventually(`the mover has done: ${step}`, () => {
    if (mover.exitCode !== null) throw new Error(`the mover ended by itself after ${printed}`);
    return printed.split("\n").includes(step);
  });
  await kill(mover);
}

/** Kills the mover while rows are on their way: one that somebody writes at the target, and never commits, holds them up. */
export async function killWhileCopying(move: KilledMove): Promise<void> {
  const source = new pg.Client({ connectionString: move.cells.get("home") });
  const target = new pg.Client({ connectionString: move.cells.get(move.to) });
  await Promise.all([source.connect(), target.connect()]);
  try {
    const columns = "environment_id, id, name, prefix, hash, scopes, allowed_addresses, created_at, list_position";
    const found = await source.query(
      "select row_to_json(k)::text as key from api_keys k where environment_id = $1 limit 1",
      [move.environmentId],
    );
    // Without its environment, which has not come yet.
    await target.query("begin; set local session_replication_role = replica");
    await target.query(
      `insert into api_keys (${columns}) select ${columns} from json_populate_record(null::api_keys, $1::json)`,
      [found.rows[0].key],
    );
    const mover = startMover(move, "removed");
    const waits = `
      select from pg_stat_activity a
      where a.application_name = 'jara-mover' and a.wait_event_type = 'Lock' and a.query like 'copy%'
        and a.datname = $1`;
    await eventually("the copy waits", async () => {
      if (mover.exitCode !== null) throw new Error("the mover ended by itself");
      // Inside its transaction the target would see the same activity for ever.
      return (await source.query(waits, [target.database])).rowCount === 1;
    });
    await kill(mover);
    await target.query("rollback");
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

function startMover({ cells, environmentId, to }: KilledMove, last: MoveStep): ChildProcess {
  const given = [JSON.stringify(Object.fromEntries(cells)), environmentId, to, last];
  return spawn(process.execPath, [program, ...given], { stdio: ["ignore", "pipe", "inherit"] });
}

async function kill(mover: ChildProcess): Promise<void> {
  const ended = once(mover, "exit");
  mover.kill("SIGKILL");
  await ended;
}
