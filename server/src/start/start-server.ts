/** Puts a whole server together in order, and takes it apart in reverse: also when the start fails half-way. */

import type { FastifyInstance } from "fastify";
import type pg from "pg";
import packageFile from "../../package.json" with { type: "json" };
import { historyClock } from "../demo/history.ts";
import { startDemo } from "../demo/play-demo.ts";
import { createGroupCommit, groupCommitSlots } from "../ledger/group-commit.ts";
import { openMissingAccounts } from "../ledger/open-accounts.ts";
import { createDatabase, createPool, type Database } from "../platform/database/database.ts";
import { attachReplicas, replicaStates } from "../platform/database/replicas.ts";
import type { Route } from "../platform/http/route.ts";
import { type MetricsAccess, startMetricsServer } from "../platform/http/server/metrics-route.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics, type GaugeSource, type Metrics, poolGauge } from "../platform/metrics.ts";
import { createSealer, type MasterKeys, nameKey } from "../platform/secrets/crypto.ts";
import { generateOperatorToken, keepSecret, openHome, readSecretKey, writeDevFile } from "../platform/secrets/home.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { prepareJobs, readJobCounts } from "../platform/work/jobs-schema.ts";
import { startBeating } from "../queues/beat.ts";
import { type AppDependencies, createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { demoMerchant, demoSignInLink, ensureDemoKey } from "./first-start.ts";
import { ownAddress } from "./hosted-pages.ts";
import { describe, type OpenDatabase, openDatabase, withLoginOf } from "./open-database.ts";
import { openMasterKeys } from "./open-master-keys.ts";
import { openRails } from "./open-rails.ts";
import { openTracing } from "./open-tracing.ts";
import { house } from "./slices.ts";
import { createTasks, startWorker } from "./tasks.ts";

const { version } = packageFile;

export interface RunningServer {
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** Opens the demo merchant's sandbox; not in production. */
  readonly secretKey?: string;
  /** Where the demo merchant sells. */
  readonly shopUrl?: string;
  /** Signs the demo merchant's owner in at the console, once. */
  readonly signInLink?: string;
  readonly place: string;
  /** Finishes what is in flight, within the configured grace, and leaves no process behind. */
  stop(): Promise<void>;
}

const stepsDown = [
  "DATABASE_URL is the owner of the database, which may not make a login for the server. Its connections step down to",
  "jara_app, and a forged statement could step up again. Set DATABASE_OWNER_URL, and in DATABASE_URL a login that is",
  "a member of jara_app and owns nothing.",
].join(" ");

/** What is to be undone, in the order in which it was done. */
type Undo = (() => Promise<void>)[];

export interface StartOptions {
  /** For benchmarks, which need an endpoint that does nothing. */
  readonly extraRoutes?: readonly Route[];
  /** Told, as soon as the database is open, how a person who does not want to wait stops what would outlive us. */
  readonly whenOpen?: (abandon: () => void) => void;
}

export async function startServer(
  config: Config,
  log: Logger,
  { extraRoutes = [], whenOpen }: StartOptions = {},
): Promise<RunningServer> {
  const undo: Undo = [];
  try {
    undo.push(await openTracing(config, version));
    const operatorToken = readOperatorToken(config);
    const database = await openDatabase(config, log);
    undo.push(database.close);
    whenOpen?.(database.abandon);
    if (database.role !== undefined) log.warn(stepsDown);
    const masterKeys = await openMasterKeys(config, database.ownerUrl);
    log.info({ masterKeys: masterKeys.map(nameKey) }, "master keys accepted");
    await prepareJobs(database.ownerUrl, house.taskKinds);
    const demo = await startParts({ config, log, operatorToken, masterKeys, database, undo, extraRoutes });
    return {
      baseUrl: config.publicUrl,
      docsUrl: docsUrlOf(config),
      ...demo,
      place: database.place,
      stop: () => takeApart(undo, log),
    };
  } catch (error) {
    await takeApart(undo, log);
    throw error;
  }
}

/** The configuration demands it in production; elsewhere it is made at the first start. */
function readOperatorToken(config: Config): string {
  if (!config.production) openHome(config.home);
  return config.operatorToken ?? keepSecret(config.home, "operator-token", generateOperatorToken);
}

interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly operatorToken: string;
  readonly masterKeys: MasterKeys;
  readonly database: OpenDatabase;
  readonly undo: Undo;
  readonly extraRoutes: readonly Route[];
}

/** What a newcomer is given, outside production. */
type Demo = Pick<RunningServer, "secretKey" | "shopUrl" | "signInLink">;

/** Starts pool, worker and API as the role asks, and returns what opens the demo where there is one. */
async function startParts(parts: Parts): Promise<Demo> {
  const { config, log, masterKeys, database, undo } = parts;
  const pool = openPool(parts);
  const db = openDatabaseOn(pool, parts);
  const { directUrl } = database;
  const role = database.role === undefined ? {} : { role: database.role };
  const locks = createEnvironmentLocks({ url: directUrl, ...role });
  undo.push(() => locks.close());
  const sealer = createSealer(masterKeys);
  await bringUpToDate(db, log);
  const groupCommit = createGroupCommit({ db, sealer, slots: groupCommitSlots(config.poolSize) });
  undo.push(() => groupCommit.drain());
  const rails = openRails({ ...wayOf(database), db, log, sealer });
  undo.push(rails.close);
  await rails.connections.refresh();
  const beating = await startBeating({ db, log, role: config.role, version });
  undo.push(() => beating.stop());
  const { webhookReach, publicUrl, requestLogDays, archive } = config;
  const settings = { webhookReach, publicUrl, requestLogDays, archive };
  const tasks = createTasks({ db, log, locks, groupCommit, rails, sealer, ...settings });
  if (config.role !== "api") {
    const graceMs = config.shutdownGraceMs;
    const worker = await startWorker({ db, log, locks, tasks, directUrl, ...role, graceMs });
    undo.push(() => worker.stop());
  }
  if (config.role === "worker") {
    await openMetricsPort(config, createMetrics({ sources: [poolGauge(pool)], processFigures: true }), undo);
    return {};
  }
  return serve(parts, { db, pool, sealer, groupCommit, rails, clock: tasks.clock });
}

type Served = Pick<AppDependencies, "db" | "pool" | "sealer" | "groupCommit" | "rails" | "clock">;

async function serve(parts: Parts, served: Served): Promise<Demo> {
  const { config, log, operatorToken, undo, extraRoutes } = parts;
  const { db } = served;
  const demo = config.production ? {} : await openDemo(db, config);
  const app = await createApp({
    ...served,
    config: { ...config, operatorToken, metricsAccess: metricsAccessOf(config) },
    log,
    gauges: [jobGauge(db), ...replicaGauges(db)],
    processFigures: true,
    demoKey: demo.secretKey,
    extraRoutes,
  });
  undo.push(() => closeWithin(app, config.shutdownGraceMs));
  if (app.metrics !== undefined) await openMetricsPort(config, app.metrics, undo);
  await listen(app, config);
  if (!config.production) announce(config, operatorToken, demo);
  playDemo(app, demo, parts);
  return demo;
}

/** How every connection that serves requests or work is made. */
function wayOf({ appUrl: url, preparedStatements, role }: OpenDatabase) {
  return { url, preparedStatements, ...(role === undefined ? {} : { role }) };
}

function openPool({ config, log, database }: Parts): pg.Pool {
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  return createPool({ ...wayOf(database), poolSize: config.poolSize, onError });
}

/** With its replicas, where there are any. */
function openDatabaseOn(pool: pg.Pool, { config, log, database, undo }: Parts): Database {
  const db = createDatabase(pool);
  undo.push(() => db.destroy());
  undo.push(openReplicas({ config, database, db, log }));
  return db;
}

async function openDemo(db: Database, config: Config): Promise<Demo> {
  const secretKey = await ensureDemoKey(
    db,
    readSecretKey(config.home),
    config.demo ? historyClock(new Date()) : undefined,
  );
  const signInLink = await demoSignInLink(db, config.publicUrl);
  return {
    ...(secretKey === undefined ? {} : { secretKey, shopUrl: shopUrlOf(config) }),
    ...(signInLink === undefined ? {} : { signInLink }),
  };
}

/** In the background, so that nobody waits for it. */
function playDemo(app: FastifyInstance, { secretKey }: Demo, { config, log, undo }: Parts): void {
  if (!config.demo || secretKey === undefined) return;
  const { stop } = startDemo({ baseUrl: ownAddress(app), secretKey, log });
  undo.push(stop);
}

/** What no migration can do for the data of an older version. */
async function bringUpToDate(db: Database, log: Logger): Promise<void> {
  const environments = await openMissingAccounts(db, Object.keys(house.systemAccounts));
  if (environments > 0) log.info({ environments }, "environments of an older version have the accounts of new slices");
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    throw new Error(explainListen(cause, config), { cause });
  }
}

function explainListen(cause: unknown, { host, port }: Config): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE") {
    const advice = `Stop it, or choose another port: PORT=${port + 1} npm start`;
    return `Port ${port} is taken, perhaps by a Jara that runs already. ${advice}`;
  }
  if (code === "EACCES") return `Port ${port} may not be opened by this user. Choose one above 1023 with PORT.`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `The server cannot listen on ${host}:${port} (HOST and PORT): ${reason}`;
}

function announce(config: Config, operatorToken: string, demo: Demo): void {
  const owner = demo.signInLink === undefined ? {} : { ownerEmail: demoMerchant.email };
  writeDevFile(config.home, {
    baseUrl: config.publicUrl,
    operatorToken,
    docsUrl: docsUrlOf(config),
    ...demo,
    ...owner,
  });
}

function docsUrlOf(config: Config): string {
  return `${config.publicUrl}/docs`;
}

function shopUrlOf(config: Config): string {
  return `${config.publicUrl}/shop`;
}

/** Requests in flight may finish; those that take longer than the grace are cut off. */
async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cutOff);
  }
}

/** One part that cannot be closed must not keep the others open. */
async function takeApart(undo: Undo, log: Logger): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, "a part of the server could not be closed");
    }
  }
}

/** Where the figures of a process are read, and those that no slice has. */
function jobGauge(db: Database): GaugeSource {
  return {
    name: "jara_jobs",
    help: "Jobs by kind and state; failed counts those given up within the last hour.",
    labelNames: ["kind", "state"],
    read: async () => {
      const counts = await readJobCounts(db);
      return counts.flatMap(({ kind, ...states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { kind, state }, value })),
      );
    },
  };
}

/** At the public address: a port of its own leaves nothing there, and in production it is closed without a token. */
function metricsAccessOf({ metricsPort, metricsToken, production }: Config): MetricsAccess {
  if (metricsPort !== undefined) return { to: "nobody" };
  if (metricsToken !== undefined) return { to: "holder", token: metricsToken };
  return { to: production ? "nobody" : "loopback" };
}

async function openMetricsPort(config: Config, metrics: Metrics, undo: (() => Promise<void>)[]): Promise<void> {
  const { host, metricsPort: port, metricsToken: token } = config;
  if (port === undefined) return;
  const access: MetricsAccess = token === undefined ? { to: "anybody" } : { to: "holder", token };
  try {
    undo.push(await startMetricsServer(metrics, access, { host, port }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Metrics cannot be served on ${host}:${port} (HOST and JARA_METRICS_PORT): ${reason}`, { cause });
  }
}

/** Opens the standbys of JARA_REPLICA_URLS for reading, and shows how they do. */
interface Places {
  readonly config: Pick<Config, "replicaUrls" | "poolSize">;
  readonly database: Pick<OpenDatabase, "appUrl" | "role" | "preparedStatements">;
  readonly db: Database;
  readonly log: Logger;
}

/** Nothing is connected before the first reading: a standby that is down keeps no server from starting. */
function openReplicas({ config, database, db, log }: Places): () => Promise<void> {
  const { poolSize } = config;
  const { preparedStatements } = database;
  const replicas = config.replicaUrls.map((given) => {
    const url = new URL(given).username === "" ? withLoginOf(database.appUrl, given) : given;
    const name = describe(url);
    const pool = createPool({
      url,
      poolSize,
      preparedStatements,
      ...(database.role === undefined ? {} : { role: database.role }),
      onError: (error) => log.warn({ err: error, replica: name }, "a connection to a replica was lost"),
    });
    return { name, db: createDatabase(pool) };
  });
  attachReplicas(db, replicas, {
    onTrouble: (replica, reason) => {
      const why = reason instanceof Error ? { err: reason } : { reason };
      log.warn({ replica, ...why }, "a replica is passed over, the primary serves its readings");
    },
  });
  return async () => {
    await Promise.all(replicas.map((replica) => replica.db.destroy()));
  };
}

function replicaGauges(db: Database): GaugeSource[] {
  return [
    {
      name: "jara_replica_serving",
      help: "1 for a replica that serves readings, 0 for one that is passed over or was never asked.",
      labelNames: ["replica"],
      read: () => replicaStates(db).map(({ name, serves }) => ({ labels: { replica: name }, value: serves ? 1 : 0 })),
    },
    {
      name: "jara_replica_behind_bytes",
      help: "How far a replica was behind the primary's log when a reading last asked for it.",
      labelNames: ["replica"],
      read: () =>
        replicaStates(db).flatMap(({ name, behindBytes }) =>
          behindBytes === null ? [] : [{ labels: { replica: name }, value: behindBytes }],
        ),
    },
  ];
}
