/**
 * `npm run cells`: shows where environments live, and moves one to another cell while the servers go on working.
 *
 *     npm run cells -- list
 *     npm run cells -- move ENVIRONMENT --to CELL
 *     npm run cells -- cancel ENVIRONMENT
 *
 * A cell that is away is named, and what does not need it is done; the exit code is then 3. 1 is for what went wrong.
 */
import { parseArgs } from "node:util";
import { someCellsAway } from "./cells/exit-codes.ts";
import { createDirectory } from "./cells/follow-cells.ts";
import {
  type CellAddresses,
  cancelMove,
  homeCell,
  type MoveOptions,
  moveEnvironment,
} from "./cells/move-environment.ts";
import { readMoves } from "./cells/moves.ts";
import { type Config, readConfig } from "./config.ts";
import { isUnreachable, openCellDatabase } from "./open-cells.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import { openMasterKeys } from "./open-master-keys.ts";
import { createDatabase, createPool } from "./platform/database/database.ts";
import { verifyArrival } from "./verify-arrival.ts";

const usage = "Say one of: list, move ENVIRONMENT --to CELL, cancel ENVIRONMENT.";

try {
  await run(readConfig(process.env), process.argv.slice(2));
} catch (error) {
  // What stops it is for a person to read: a wrong setting, a database that cannot be reached, a move that is refused.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(config: Config, words: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: words,
    options: { to: { type: "string" } },
    allowPositionals: true,
  });
  const [verb, environmentId] = positionals;
  if (config.cells.size === 0) throw new Error("There is one database only: JARA_CELLS names no other.");
  const { opened, away } = await openAll(config);
  try {
    if (away.length > 0) process.exitCode = someCellsAway;
    const cells: CellAddresses = new Map([...opened].map(([name, { ownerUrl }]) => [name, ownerUrl]));
    if (verb === "list") return await list(opened, away);
    for (const name of away) console.error(`The cell ${name} cannot be reached.`);
    if (environmentId === undefined) throw new Error(usage);
    if (verb === "cancel") return await cancel({ cells, away, environmentId });
    if (verb !== "move" || values.to === undefined) throw new Error(usage);
    await move({ cells, away, environmentId }, values.to);
  } finally {
    for (const { close } of opened.values()) await close();
  }
}

interface Opened {
  readonly opened: ReadonlyMap<string, OpenDatabase>;
  readonly away: readonly string[];
}

async function openAll(config: Config): Promise<Opened> {
  const home = await openDatabase(config);
  const opened = new Map([[homeCell, home]]);
  const away: string[] = [];
  await openMasterKeys(config, home.ownerUrl);
  for (const [name, url] of config.cells) {
    const cell = await openCellDatabase(config, name, url, undefined, 0).catch((error: unknown) => {
      if (isUnreachable(error)) return undefined;
      throw error;
    });
    if (cell === undefined) away.push(name);
    else opened.set(name, cell);
  }
  return { opened, away };
}

async function list(opened: ReadonlyMap<string, OpenDatabase>, away: readonly string[]): Promise<void> {
  const home = opened.get(homeCell);
  if (home === undefined) return;
  const { directUrl: url, role } = home;
  const db = createDatabase(createPool({ url, poolSize: 1, ...(role === undefined ? {} : { role }) }));
  const directory = createDirectory();
  const moving = await directory
    .read(db)
    .then(() => readMoves(db, true))
    .finally(() => db.destroy());
  for (const name of [...opened.keys(), ...away]) {
    const living = directory.livingIn(name);
    const place = away.includes(name) ? `${name} (CANNOT BE REACHED)` : name;
    if (name !== homeCell) console.log(`${place}: ${living.length === 0 ? "no environment" : living.join(", ")}`);
  }
  console.log("Every other environment lives at home.");
  for (const { id, to, hasMover } of moving) {
    const next = hasMover ? "a mover is at work" : `NOBODY MOVES IT: run npm run cells -- move ${id} --to ${to}`;
    console.log(`${id} is on its way to ${to}; ${next}.`);
  }
}

async function move(options: MoveOptions, to: string): Promise<void> {
  const moved = await moveEnvironment({
    ...options,
    to,
    verify: (cell, id) => verifyArrival(options.cells, cell, id),
    onStep: (step) => console.log(step),
  });
  if (moved === undefined) console.log(`It lives in ${to}.`);
  else console.log(`Moved to ${to}: ${moved.rows} rows. Nobody could write for ${moved.closedMs / 1000} seconds.`);
}

async function cancel(options: MoveOptions): Promise<void> {
  await cancelMove(options);
  console.log("The move is called off. The environment is open where it was.");
}
