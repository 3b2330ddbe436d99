/** The whole API in this process, on a database of its own, with two merchants in it. */

import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { afterAll } from "vitest";
import { createGroupCommit, type GroupCommit } from "../src/ledger/group-commit.ts";
import { openMissingAccounts } from "../src/ledger/open-accounts.ts";
import { createDatabase, createPool } from "../src/platform/database/database.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../src/platform/secrets/crypto.ts";
import { type ClockControl, createClockControl } from "../src/platform/time/clock-control.ts";
import { createEnvironmentLocks } from "../src/platform/time/environment-lock.ts";
import type { TaskKinds } from "../src/platform/work/jobs.ts";
import { prepareJobs } from "../src/platform/work/jobs-schema.ts";
import { allProviders } from "../src/rails/connections/providers.ts";
import type { Provider } from "../src/rails/provider.ts";
import { type AppDependencies, appRoutes, createApp } from "../src/start/app.ts";
import { type OpenRails, openRails } from "../src/start/open-rails.ts";
import { type JaraHouse, house as ourHouse } from "../src/start/slices.ts";
import { createTasks, type Tasks } from "../src/start/tasks.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { refuseUndeclaredEvents } from "./document/declared-events.ts";
import { refuseUndeclaredReplies } from "./document/declared-replies.ts";
import { createMerchant, type TestMerchant } from "./factories.ts";
import { refuseTellingLines } from "./platform/telling-lines.ts";
import { asOwner, withOwner } from "./work.ts";

const silent = pino({ level: "silent" });

const testOperatorToken = "op_for-tests-only-0123456789";

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null sends no key; the first merchant's key goes along unless another is given. */
  readonly key?: string | null;
}

export interface TestApp extends TestDatabase {
  readonly app: FastifyInstance;
  /** What the app was made of. */
  readonly dependencies: AppDependencies;
  readonly merchant: TestMerchant;
  /** Owns nothing of the first one's. */
  readonly otherMerchant: TestMerchant;
  readonly operatorToken: string;
  readonly clock: ClockControl;
  readonly groupCommit: GroupCommit;
  readonly rails: OpenRails;
  /** What a worker would do here; nothing of it runs by itself. */
  readonly tasks: Tasks;
  /** Sends a request as the first merchant. */
  call(method: string, path: string, options?: CallOptions): Promise<LightMyRequestResponse>;
  /** Sends a request as the operator. */
  operate(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse>;
}

export type TestAppOptions = Partial<
  Pick<AppDependencies, "extraRoutes" | "gauges" | "log"> &
    Pick<ClockControl, "settleFrozen"> &
    AppDependencies["config"] & {
      /** A house with further slices, and the migration that they need. */
      readonly house: JaraHouse;
      readonly migration: string;
      /** Puts something between us and the rails. */
      readonly tamper: (rails: OpenRails["rails"]) => OpenRails["rails"];
      /** Who can be connected. */
      readonly providers: readonly Provider[];
      /** How many money commands may wait. */
      readonly queueBound: number;
      /** What one advance of a clock runs at most. */
      readonly mostEntries: number;
      /** How many connections there are, for a test that keeps some of them. */
      readonly poolSize: number;
      /** What may run when a clock is moved. */
      readonly kinds: TaskKinds;
      /** Lets the app reach its database by another way than the test does. */
      readonly reach: (databaseUrl: string) => Promise<string>;
    }
>;

/** As on a laptop: receivers of sandboxes' webhooks listen beside the tests. */
const webhookReach = { blocks: [], sandboxLoopback: true };

const publicUrl = "http://localhost:4000";

/** In whose name live loans are made. */
export const testLender = {
  name: "Akowe Finance Ltd",
  registration: "FCCPC/DML/0042",
  email: "help@akowe.example",
  phone: "0700 256 9300",
  regulator: "Lagos State Consumer Protection Agency: lascopa.example",
} as const;

const usualConfig = {
  trustProxy: false,
  rateLimit: 0,
  operatorToken: testOperatorToken,
  nubanCheck: "warn",
  lender: testLender,
} as const;

/** `rateLimit` is off unless a test asks for it. The app and its database go away with the test file. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase(options.poolSize);
  const { settleFrozen, extraRoutes, gauges, reach, kinds = new Map(), log = silent, ...others } = options;
  const { house = ourHouse, migration, tamper = (same) => same, queueBound = 10_000, ...limited } = others;
  const { mostEntries = 100_000, providers = allProviders, poolSize: _, ...config } = limited;
  if (migration !== undefined) await upgrade(database, house, migration);
  const own = reach === undefined ? database : openOwnPool(await reach(database.appUrl));
  const locks = createEnvironmentLocks({ url: database.appUrl });
  const sealer = createSealer(parseMasterKeys(generateMasterKey()));
  const groupCommit = createGroupCommit({ db: own.db, sealer, slots: 4, queueBound });
  const opened = openRails({ url: database.appUrl, db: own.db, log, sealer, providers });
  const rails = { ...opened, rails: tamper(opened.rails) };
  const { requestLogDays = 7 } = config;
  const addresses = { webhookReach, publicUrl: config.publicUrl ?? publicUrl, requestLogDays };
  const tasks = createTasks({ db: own.db, log, locks, groupCommit, rails, sealer, house, ...addresses });
  const all = new Map([...tasks.kinds, ...kinds]);
  const clock = createClockControl({ db: database.db, log, locks, kinds: all, mostEntries });
  const dependencies: AppDependencies = {
    config: { ...usualConfig, ...addresses, ...config },
    db: own.db,
    pool: own.pool,
    log,
    sealer,
    groupCommit,
    rails,
    house,
    clock: settleFrozen === undefined ? clock : { ...clock, settleFrozen },
    ...(extraRoutes === undefined ? {} : { extraRoutes }),
    ...(gauges === undefined ? {} : { gauges }),
  };
  const app = await createApp(dependencies);
  refuseUndeclaredReplies(app, { house, routes: () => appRoutes(dependencies), extra: extraRoutes ?? [] });
  afterAll(async () => {
    await app.close();
    await groupCommit.drain();
    await rails.close();
    await locks.close();
    await withOwner(database.ownerUrl, async (owner) => {
      await refuseUndeclaredEvents(owner, house.events);
      await refuseTellingLines(owner);
    });
  });
  const merchants = await createMerchants(database, house);
  const call = callerOf(app, merchants.merchant.secretKey);
  return {
    ...database,
    ...own,
    ...merchants,
    dependencies,
    app,
    operatorToken: testOperatorToken,
    clock,
    groupCommit,
    rails,
    tasks,
    call,
    operate: (method, path, body, headers = {}) => call(method, path, { body, headers, key: testOperatorToken }),
  };
}

async function createMerchants({ db }: TestDatabase, { systemAccounts }: JaraHouse) {
  const merchant = await createMerchant(db, "Mama Put Foods");
  const otherMerchant = await createMerchant(db, "Okada Express");
  await openMissingAccounts(db, Object.keys(systemAccounts));
  return { merchant, otherMerchant };
}

/** Sends requests with a key that goes along unless another is given. */
export function callerOf(app: FastifyInstance, ownKey: string): TestApp["call"] {
  return (method, path, { body, headers = {}, key = ownKey } = {}) =>
    app.inject({
      method: method as "GET",
      url: path,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
}

/** What the start of a new version does with a database of the old one. */
async function upgrade({ ownerUrl }: TestDatabase, { taskKinds }: JaraHouse, migration: string): Promise<void> {
  await asOwner(ownerUrl, migration);
  await prepareJobs(ownerUrl, taskKinds);
}

function openOwnPool(url: string): Pick<TestDatabase, "db" | "pool"> {
  const pool = createPool({ url, poolSize: 5 });
  const db = createDatabase(pool);
  afterAll(() => db.destroy());
  return { pool, db };
}
