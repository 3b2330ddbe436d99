/** What is done to a cluster while a merchant pays, and what must come of it. */
import { setTimeout as pause } from "node:timers/promises";
import { type DatabaseNode, frontUrl, type Layout } from "./layout.ts";
import type { Load } from "./load.ts";
import { killNode, killPostgres, restartApi, restartJara, untilHaproxySays, whilePaused } from "./parts.ts";
import { findNode, restartPostgres, roleOf, switchOver } from "./patroni.ts";
import { killProcess, signalProcess } from "./processes.ts";
import { answers, type Cluster, isComplete, startEtcd, startNode, until } from "./start-cluster.ts";

export interface Scene {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly short: boolean;
  /** Goes into the results. */
  remark(words: string): void;
}

export interface Drill {
  readonly name: string;
  readonly title: string;
  /** How many replies may be no success; undefined where the database is away for a while. */
  readonly mostFailures?: number;
  /** For how long nothing may be acknowledged. */
  readonly longestGapSeconds: number;
  play(scene: Scene): Promise<void>;
}

const tailMs = 5_000;

export const drills: readonly Drill[] = [
  {
    name: "pooler",
    title: "Steady load through pgbouncer in transaction mode",
    mostFailures: 0,
    longestGapSeconds: 5,
    play: ({ short }) => pause(short ? 10_000 : 30_000),
  },
  {
    name: "rolling",
    title: "Rolling restart of API, workers and database",
    mostFailures: 0,
    longestGapSeconds: 10,
    play: playRolling,
  },
  {
    name: "primary",
    title: "The primary's machine is gone (kill -9 of Patroni and PostgreSQL)",
    longestGapSeconds: 30,
    play: (scene) => loseNode(scene, "leader"),
  },
  {
    name: "postgres",
    title: "The primary's PostgreSQL dies (kill -9), Patroni lives",
    longestGapSeconds: 30,
    play: playPostgresKilled,
  },
  {
    name: "demoted",
    title: "A switch-over that nobody was told of: the primary is demoted under load",
    longestGapSeconds: 15,
    play: playDemoted,
  },
  {
    name: "standby",
    title: "The synchronous standby's machine is gone",
    longestGapSeconds: 15,
    play: (scene) => loseNode(scene, "sync_standby"),
  },
  {
    name: "etcd",
    title: "All of etcd is gone for 30 seconds",
    mostFailures: 0,
    longestGapSeconds: 10,
    play: playEtcdLost,
  },
  {
    name: "network",
    title: "The network between API and database is cut for 15 seconds",
    longestGapSeconds: 25,
    play: playNetworkCut,
  },
];

/** Every process once; then every node, and the writing handed over in between. The short form leaves the nodes out. */
async function playRolling({ cluster: { layout }, load, short, remark }: Scene): Promise<void> {
  for (const { name, role } of layout.processes) {
    await (role === "api" ? restartApi(layout, name) : restartJara(layout, name));
  }
  if (short) remark("the short form: every API process and worker was restarted, no database");
  else await restartNodes(layout, remark);
  await load.untilAcknowledged(short ? 500 : 10_000);
}

async function restartNodes(layout: Layout, remark: Scene["remark"]): Promise<void> {
  const replicas = layout.nodes.map(async (node) => ((await roleOf(node)) === "replica" ? [node] : []));
  for (const node of (await Promise.all(replicas)).flat()) {
    await restartPostgres(node);
    await whole(layout);
  }
  const began = performance.now();
  const { from } = await whilePaused(layout, () => handOver(layout));
  remark(`handing over took ${seconds(performance.now() - began)} s, in which requests waited`);
  await whole(layout);
  await restartPostgres(from);
  await whole(layout);
}

/** Resolves when haproxy leads to the new primary as well. */
async function handOver(layout: Layout): Promise<{ readonly from: DatabaseNode }> {
  const switched = await switchOver(layout);
  await untilHaproxySays(layout, `writer/${switched.to.name}`, "UP");
  await untilHaproxySays(layout, `writer/${switched.from.name}`, "DOWN");
  return switched;
}

async function loseNode({ cluster, remark }: Scene, role: "leader" | "sync_standby"): Promise<void> {
  const { layout } = cluster;
  const lost = await findNode(layout, role);
  await killNode(layout, lost);
  const began = performance.now();
  if (role === "leader") {
    const others = layout.nodes.filter(({ name }) => name !== lost.name);
    const isPrimary = async () => (await Promise.all(others.map(roleOf))).includes("primary");
    await until("a new primary", isPrimary, layout.folder, others[0]?.name ?? "");
    remark(`another node was primary after ${seconds(performance.now() - began)} s`);
  }
  await pause(tailMs);
  startNode(cluster, lost.name);
  await whole(layout);
  remark(`${lost.name} was back as a standby ${seconds(performance.now() - began)} s after it was lost`);
}

async function playPostgresKilled({ cluster: { layout }, remark }: Scene): Promise<void> {
  const lost = await findNode(layout, "leader");
  const began = performance.now();
  await killPostgres(layout, lost);
  await pause(2_000);
  await whole(layout);
  const now = await findNode(layout, "leader");
  const who = now.name === lost.name ? "the same node" : "another node";
  remark(`${who} is primary; all three were back after ${seconds(performance.now() - began)} s`);
}

async function playDemoted({ cluster: { layout } }: Scene): Promise<void> {
  await handOver(layout);
  await pause(tailMs);
  await whole(layout);
}

async function playEtcdLost({ cluster, load, remark }: Scene): Promise<void> {
  const { layout } = cluster;
  const before = (await findNode(layout, "leader")).name;
  const paid = load.acknowledged.size;
  await Promise.all(layout.etcd.map(({ name }) => killProcess(layout.folder, name)));
  await pause(30_000);
  remark(`${load.acknowledged.size - paid} payouts were acknowledged while etcd was away`);
  for (const { name } of layout.etcd) startEtcd(cluster, name);
  await pause(tailMs);
  await whole(layout);
  const after = (await findNode(layout, "leader")).name;
  remark(after === before ? "the primary stayed primary" : `the primary changed from ${before} to ${after}`);
}

async function playNetworkCut({ cluster: { layout }, load, remark }: Scene): Promise<void> {
  signalProcess(layout.folder, "wire", "SIGSTOP");
  await pause(10_000);
  const ready = await answers(`${frontUrl(layout)}/readyz`);
  remark(`after 10 s the API says that it is ${ready ? "ready" : "not ready"}`);
  await pause(5_000);
  signalProcess(layout.folder, "wire", "SIGCONT");
  const mended = performance.now();
  await load.untilAcknowledged(load.acknowledged.size + 1);
  remark(`the first payout was acknowledged ${seconds(performance.now() - mended)} s after the network was back`);
  await pause(tailMs);
}

function whole(layout: Layout): Promise<void> {
  return until("the whole cluster", () => isComplete(layout), layout.folder, "haproxy");
}

/** With one decimal place. */
export const seconds = (ms: number): number => Math.round(ms / 100) / 10;
