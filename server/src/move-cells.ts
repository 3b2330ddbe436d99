/**
 * `npm run cells`: shows where environments live, and moves one to another cell while the servers go on working.
 *
 *     npm run cells -- list
 *     npm run cells -- move ENVIRONMENT --to CELL
 *     npm run cells -- cancel ENVIRONMENT
 */
import { parseArgs } from "node:util";
import { createDirectory } from "./cells/follow-cells.ts";
import { type CellAddresses, cancelMove, homeCell, moveEnvironment } from "./cells/move-environment.ts";
import { type Config, readConfig } from "./config.ts";
import { openCellDatabase } from "./open-cells.ts";
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
  const opened = await openAll(config);
  try {
    const cells: CellAddresses = new Map([...opened].map(([name, { ownerUrl }]) => [name, ownerUrl]));
    if (verb === "list") return await list(opened);
    if (environmentId === undefined) throw new Error(usage);
    if (verb === "cancel") return await cancel(cells, environmentId);
    if (verb !== "move" || values.to === undefined) throw new Error(usage);
    await move(cells, environmentId, values.to);
  } finally {
    for (const { close } of opened.values()) await close();
  }
}

async function openAll(config: Config): Promise<Map<string, OpenDatabase>> {
  const home = await openDatabase(config);
  const opened = new Map([[homeCell, home]]);
  await openMasterKeys(config, home.ownerUrl);
  for (const [name, url] of config.cells) opened.set(name, await openCellDatabase(config, name, url));
  return opened;
}

async function list(opened: ReadonlyMap<string, OpenDatabase>): Promise<void> {
  const home = opened.get(homeCell);
  if (home === undefined) return;
  const { directUrl: url, role } = home;
  const db = createDatabase(createPool({ url, poolSize: 1, ...(role === undefined ? {} : { role }) }));
  const directory = createDirectory();
  await directory.read(db).finally(() => db.destroy());
  for (const name of opened.keys()) {
    const living = directory.livingIn(name);
    if (name !== homeCell) console.log(`${name}: ${living.length === 0 ? "no environment" : living.join(", ")}`);
  }
  console.log("Every other environment lives at home.");
}

async function move(cells: CellAddresses, environmentId: string, to: string): Promise<void> {
  const moved = await moveEnvironment({
    cells,
    environmentId,
    to,
    verify: (cell, id) => verifyArrival(cells, cell, id),
    onStep: (step) => console.log(step),
  });
  if (moved === undefined) console.log(`It lives in ${to}.`);
  else console.log(`Moved to ${to}: ${moved.rows} rows. Nobody could write for ${moved.closedMs / 1000} seconds.`);
}

async function cancel(cells: CellAddresses, environmentId: string): Promise<void> {
  await cancelMove({ cells, environmentId });
  console.log("The move is called off. The environment is open where it was.");
}
