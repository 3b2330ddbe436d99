/** What Patroni says of its nodes, and what it is asked to do with them. */
import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseNode, Layout } from "./layout.ts";

export interface Member {
  readonly name: string;
  /** `leader`, `sync_standby` or `replica`. */
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

const ask = (node: DatabaseNode, path: string, body?: object): Promise<Response> =>
  fetch(`http://127.0.0.1:${node.restPort}${path}`, {
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

/** `primary`, `replica`, or undefined while the node says nothing. */
export async function roleOf(node: DatabaseNode): Promise<"primary" | "replica" | undefined> {
  try {
    const response = await ask(node, "/patroni");
    const { role, state } = (await response.json()) as { role?: string; state?: string };
    if (state !== "running") return undefined;
    return role === "master" || role === "primary" ? "primary" : "replica";
  } catch {
    return undefined;
  }
}

/** As the first node that answers knows it. */
export async function membersOf(nodes: readonly DatabaseNode[]): Promise<readonly Member[]> {
  for (const node of nodes) {
    try {
      const response = await ask(node, "/cluster");
      const { members } = (await response.json()) as { members?: Member[] };
      if (members !== undefined) return members;
    } catch {
      // The next one may know.
    }
  }
  return [];
}

export async function findNode(layout: Layout, role: "leader" | "sync_standby" | "replica"): Promise<DatabaseNode> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const members = await membersOf(layout.nodes);
    const found = members.find((member) => member.role === role);
    const node = layout.nodes.find(({ name }) => name === found?.name);
    if (node !== undefined) return node;
    await pause(200);
  }
  throw new Error(`no node is ${role}`);
}

/** Hands the writing over; returns when the other node does it. */
export async function switchOver(layout: Layout): Promise<{ from: DatabaseNode; to: DatabaseNode }> {
  const [from, to] = [await findNode(layout, "leader"), await findNode(layout, "sync_standby")];
  const response = await ask(from, "/switchover", { leader: from.name, candidate: to.name });
  if (!response.ok) throw new Error(`Patroni did not switch over: ${response.status} ${await response.text()}`);
  return { from, to };
}

export async function restartPostgres(node: DatabaseNode): Promise<void> {
  const response = await ask(node, "/restart", {});
  if (!response.ok) throw new Error(`${node.name} was not restarted: ${response.status} ${await response.text()}`);
}
