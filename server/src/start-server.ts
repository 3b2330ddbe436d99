/** Puts a whole server together in order, and takes it apart in reverse: also when the start fails half-way. */
import type { FastifyInstance } from "fastify";
import packageFile from "../package.json" with { type: "json" };
import { type AppDependencies, createApp } from "./app.ts";
import { createCellDesks } from "./cell-desks.ts";
import { cellGauge } from "./cells/cell-states.ts";
import type { Config } from "./config.ts";
import { startDemo } from "./demo/play-demo.ts";
import { demoSignInLink, ensureDemoKey } from "./first-start.ts";
import { ownAddress } from "./hosted-pages.ts";
import { createGroupCommit, groupCommitSlots } from "./ledger/group-commit.ts";
import { openMissingAccounts } from "./ledger/open-accounts.ts";
import { connectCell, type OpenCell, openCells } from "./open-cells.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import { openMasterKeys } from "./open-master-keys.ts";
import { jobGauge, metricsAccessOf, openMetricsPort } from "./open-metrics.ts";
import { openRails } from "./open-rails.ts";
import { openReplicas, replicaGauges } from "./open-replicas.ts";
import { openTracing } from "./open-tracing.ts";
import type { Database } from "./platform/database/database.ts";
import type { Route } from "./platform/http/route.ts";
import type { Logger } from "./platform/logger.ts";
import { createMetrics, poolGauge } from "./platform/metrics.ts";
import { createSealer, type MasterKeys, nameKey } from "./platform/secrets/crypto.ts";
import { generateOperatorToken, keepSecret, openHome, readSecretKey, writeDevFile } from "./platform/secrets/home.ts";
import { prepareJobs } from "./platform/work/jobs-schema.ts";
import { startBeating } from "./queues/beat.ts";
import { house } from "./slices.ts";
import { createTasks, startWorker, type Tasks } from "./tasks.ts";
import { deliverAtOnce } from "./webhooks/deliver-at-once.ts";

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
  const home = openHomeCell(parts);
  const { pool, db } = home;
  const opened = await openCells(config, home, log, { mayBeAway: true });
  undo.push(() => opened.close());
  const { cells, directory, locks, states } = opened;
  const sealer = createSealer(masterKeys);
  for (const cell of [home, ...cells.values()]) await bringUpToDate(cell.db, log);
  const desksOf = createCellDesks(directory);
  const writeEvents = deliverAtOnce(desksOf().deliveryDesk);
  const groupCommit = createGroupCommit({ db, sealer, writeEvents, slots: groupCommitSlots(config.poolSize) });
  undo.push(() => groupCommit.drain());
  const ways = new Map([...cells].map(([name, cell]) => [name, wayOf(cell.database)]));
  const { sendingDesk, vendingDesk } = desksOf();
  const opening = openRails({ ...wayOf(database), db, log, sealer, cells: { directory, ways } });
  const rails = { ...opening, sendingDesk, vendingDesk };
  undo.push(rails.close);
  await rails.connections.refresh();
  const beating = await startBeating({ db, log, role: config.role, version });
  undo.push(() => beating.stop());
  const { webhookReach, publicUrl, requestLogDays, archive } = config;
  const working = { log, groupCommit, rails, sealer, webhookReach, publicUrl, requestLogDays, archive };
  const tasks = createTasks({ ...working, deliveryDesk: desksOf().deliveryDesk, db, locks });
  const workAt = async (name: string, cell: OpenCell): Promise<void> => {
    if (config.role === "api") return;
    const { deliveryDesk, ...orderDesks } = desksOf(name);
    const own = { rails: { ...rails, ...orderDesks }, deliveryDesk };
    const ofCell = createTasks({ ...working, ...own, db: cell.db, locks: cell.locks });
    await startWorkerOf(parts, cell, { ...ofCell, loops: ofCell.loops.filter(({ atHome }) => atHome !== true) });
  };
  if (config.role !== "api") await startWorkerOf(parts, { ...home, locks }, tasks);
  for (const [name, cell] of cells) await workAt(name, cell);
  const join = async (name: string, cell: OpenCell): Promise<void> => {
    await bringUpToDate(cell.db, log);
    rails.joinCell(name, wayOf(cell.database));
    await workAt(name, cell);
  };
  undo.push(opened.awaitAbsent(join));
  if (config.role === "worker") {
    const sources = [poolGauge(pool), cellGauge(states)];
    await openMetricsPort(config, createMetrics({ sources, processFigures: true }), undo);
    return {};
  }
  return serve(parts, { db, pool, sealer, groupCommit, rails, clock: tasks.clock, cellStates: states });
}

type Served = Pick<AppDependencies, "db" | "pool" | "sealer" | "groupCommit" | "rails" | "clock" | "cellStates">;

async function serve(parts: Parts, served: Served): Promise<Demo> {
  const { config, log, operatorToken, undo, extraRoutes } = parts;
  const { db, clock } = served;
  const demo = config.production ? {} : await openDemo(db, config);
  const app = await createApp({
    ...served,
    config: { ...config, operatorToken, metricsAccess: metricsAccessOf(config) },
    log,
    settleFrozen: (environmentId) => clock.settleFrozen(environmentId),
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

async function startWorkerOf({ config, log, undo }: Parts, { db, locks, database }: OpenCell, tasks: Tasks) {
  const { directUrl, role } = database;
  const graceMs = config.shutdownGraceMs;
  const way = { directUrl, ...(role === undefined ? {} : { role }) };
  const worker = await startWorker({ db, log, locks, tasks, ...way, graceMs });
  undo.push(() => worker.stop());
}

/** How every connection that serves requests or work is made. */
function wayOf({ appUrl: url, preparedStatements, role }: OpenDatabase) {
  return { url, preparedStatements, ...(role === undefined ? {} : { role }) };
}

/** With its replicas, where there are any. */
function openHomeCell({ config, log, database, undo }: Parts): OpenCell {
  const home = connectCell(config, database, log);
  undo.push(() => home.db.destroy());
  undo.push(openReplicas({ config, database, db: home.db, log }));
  undo.push(() => home.locks.close());
  return home;
}

async function openDemo(db: Database, config: Config): Promise<Demo> {
  const secretKey = await ensureDemoKey(db, readSecretKey(config.home));
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
  writeDevFile(config.home, { baseUrl: config.publicUrl, operatorToken, docsUrl: docsUrlOf(config), ...demo });
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
