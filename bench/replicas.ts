/**
 * What a standby takes off the primary: the same lists are read in turn through a server that has the primary alone,
 * and through one that was told of a standby. Both databases are on this machine, so what counts is who computes.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findFreePort } from "../server/src/platform/embedded-postgres/postmaster.ts";
import { openPair } from "../server/testing/platform/standby.ts";
import { cpuMsOf } from "./cpu.ts";
import { endRun } from "./end-run.ts";
import { fillList } from "./lists.ts";
import { load, requestBytes } from "./load.ts";
import { apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { type Leg, median } from "./report.ts";
import { findPostmaster, startServer, stopServer } from "./stage.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 6);
const rows = 100_000;
const pageSize = 100;
const seconds = 5;
const connections = 8;

export async function benchReplicas(): Promise<void> {
  const pair = await openPair();
  const folder = mkdtempSync(join(tmpdir(), "jara-bench-"));
  const admin = new pg.Client({ connectionString: pair.primary.ownerUrl });
  const standby = new pg.Client({ connectionString: pair.ownerUrl });
  await Promise.all([admin.connect(), standby.connect()]);
  const ports = [await findFreePort(), await findFreePort()] as const;
  const replicas = { JARA_REPLICA_URLS: pair.appUrl };
  const servers = [
    await startServer({ folder, port: ports[0], role: "api" }, pair.primary),
    await startServer({ folder, port: ports[1], role: "api" }, pair.primary, { env: replicas }),
  ];
  try {
    const payer = await createPayer(apiAt(ports[0]), readOperatorToken(folder), 0);
    await fillList({ admin }, payer, rows);
    await admin.query("vacuum analyze transfers");
    const processes = { primary: await findPostmaster(admin), standby: await findPostmaster(standby) };
    const legs = await measure(payer, ports, processes);
    report(legs);
  } finally {
    for (const server of servers) await stopServer(server);
    await Promise.all([admin.end(), standby.end()]);
    await pair.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Figures = Map<string, number[]>;

async function measure(
  { key }: Payer,
  ports: readonly number[],
  processes: Readonly<Record<"primary" | "standby", number>>,
): Promise<Figures> {
  const figures: Figures = new Map();
  const note = (name: string, value: number) => void figures.set(name, [...(figures.get(name) ?? []), value]);
  const names = ["primary alone", "with a standby"];
  let page = 0;
  const next = (): Buffer => {
    page = (page + 7) % (rows / pageSize);
    return requestBytes("GET", `/transfers?page=${page + 1}&limit=${pageSize}`, key);
  };
  for (let round = -1; round < rounds; round += 1) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const began = [cpuMsOf(processes.primary), cpuMsOf(processes.standby)] as const;
      const { perSecond, requests, statuses } = await load({ port: ports[place] ?? 0, connections, seconds, next });
      if (Object.keys(statuses).join() !== "200") throw new Error(`lists returned ${JSON.stringify(statuses)}`);
      // The first round warms both up.
      if (round < 0) continue;
      const per1000 = (ms: number) => (ms / requests) * 1_000;
      note(`${names[place]}: lists`, perSecond);
      note(`${names[place]}: the primary computes`, per1000(cpuMsOf(processes.primary) - began[0]));
      note(`${names[place]}: the standby computes`, per1000(cpuMsOf(processes.standby) - began[1]));
    }
  }
  return figures;
}

function report(figures: Figures): void {
  const unitOf = (name: string) => (name.endsWith("lists") ? "lists/s" : "ms/1000");
  const legs: Leg[] = [...figures].map(([name, values]) => ({ name, unit: unitOf(name), values }));
  const of = (name: string) => median(figures.get(name) ?? []);
  const share = of("with a standby: the primary computes") / of("primary alone: the primary computes");
  const goals = [{ name: "the primary's work for a list, with a standby to without", value: share, atMost: 0.2 }];
  endRun("replicas", legs, goals);
}
