/** Takes a cluster down, in the order in which nobody misses anybody. Finds what a crash has left, too. */
import { rmSync } from "node:fs";
import { findPostmaster, stopPostmaster } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { dataFolderOf, type Layout } from "./layout.ts";
import { livingProcesses, stopProcess } from "./processes.ts";

/** Callers before those they call. */
const order = [/^prometheus$/, /^api/, /^worker/, /^pgbouncer$/, /^wire$/, /^haproxy$/, /^node/, /^etcd/];

export async function stopCluster(layout: Layout): Promise<string[]> {
  const { folder } = layout;
  const living = livingProcesses(folder);
  for (const group of order) {
    await Promise.all(living.filter((name) => group.test(name)).map((name) => stopProcess(folder, name)));
  }
  // A Patroni that was killed has left its PostgreSQL behind.
  for (const node of layout.nodes) {
    const data = dataFolderOf(layout, node);
    const left = await findPostmaster(data);
    if (left === undefined) continue;
    await stopPostmaster(data, left.pid);
    living.push(`${node.name}'s PostgreSQL`);
  }
  return living;
}

export function removeCluster({ folder }: Layout): void {
  rmSync(folder, { recursive: true, force: true });
}
