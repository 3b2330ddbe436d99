/** What drills do to parts of a cluster. */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findPostmaster } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { type DatabaseNode, dataFolderOf, type Layout, ownerUrl } from "./layout.ts";
import { killProcess, stopProcess } from "./processes.ts";
import { startJara, until, untilReady } from "./start-cluster.ts";

/** Kills a node's PostgreSQL with -9; Patroni lives and sees it. */
export async function killPostgres(layout: Layout, node: DatabaseNode): Promise<void> {
  const running = await findPostmaster(dataFolderOf(layout, node));
  if (running !== undefined) process.kill(running.pid, "SIGKILL");
}

/** The machine is gone: Patroni and PostgreSQL at once. */
export async function killNode(layout: Layout, node: DatabaseNode): Promise<void> {
  const running = await findPostmaster(dataFolderOf(layout, node));
  const gone = killProcess(layout.folder, node.name);
  if (running !== undefined) process.kill(running.pid, "SIGKILL");
  await gone;
}

/** A command to haproxy, which says something only when it does not like it. */
function askHaproxy({ ports }: Layout, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(ports.haproxyAdmin, "127.0.0.1", () => socket.end(`${command}\n`));
    socket.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    socket.once("error", reject).once("close", () => resolve(said.trim()));
  });
}

async function setServer(layout: Layout, name: string, state: "drain" | "ready"): Promise<void> {
  const said = await askHaproxy(layout, `set server front/${name} state ${state}`);
  if (said !== "") throw new Error(`haproxy: ${said}`);
}

/** Takes no new requests, finishes those it has, ends, starts, is ready, takes requests again. */
export async function restartApi(layout: Layout, name: string): Promise<void> {
  await setServer(layout, name, "drain");
  // The server itself waits for its requests; the pause is for those that haproxy is about to hand over.
  await pause(500);
  await restartJara(layout, name);
  await untilReady(layout, name);
  await setServer(layout, name, "ready");
  await untilHaproxySays(layout, `front/${name}`, "UP");
}

/** Who comes next may only go once haproxy itself has seen this one. */
export async function untilHaproxySays(layout: Layout, server: string, wanted: "UP" | "DOWN"): Promise<void> {
  const says = async () => (await serverStates(layout)).get(server)?.startsWith(wanted) === true;
  await until(`${server} in haproxy`, says, layout.folder, "haproxy");
}

async function serverStates(layout: Layout): Promise<ReadonlyMap<string, string>> {
  const [names = "", ...lines] = (await askHaproxy(layout, "show stat")).split("\n");
  const place = names.split(",").indexOf("status");
  return new Map(lines.map((line) => line.split(",")).map((row) => [`${row[0]}/${row[1]}`, row[place] ?? ""]));
}

export async function restartJara(layout: Layout, name: string): Promise<void> {
  await stopProcess(layout.folder, name, 30_000);
  startJara(layout, name);
}

/**
 * Lets every transaction finish and none begin, for as long as `work` takes. Nobody is refused: whoever comes waits in
 * the pooler.
 */
export async function whilePaused<T>(layout: Layout, work: () => Promise<T>): Promise<T> {
  const pooler = new pg.Client({ connectionString: ownerUrl(layout, layout.ports.pooler, "pgbouncer") });
  pooler.on("error", () => undefined);
  await pooler.connect();
  try {
    await pooler.query("pause jara");
    return await work();
  } finally {
    await pooler.query("resume jara");
    await pooler.end();
  }
}
