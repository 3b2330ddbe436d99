/**
 * The composition root of HTTP: every domain's routes meet the platform here, and nowhere else.
 */
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type pg from "pg";
import { apiTags } from "./api-tags.ts";
import { createAuthenticator } from "./auth/authenticate.ts";
import { createOperatorAuthenticator } from "./auth/authenticate-operator.ts";
import { requireScope } from "./auth/require-scope.ts";
import { authRoutes } from "./auth/routes.ts";
import { createCatalogueBook } from "./bills/catalogue-book.ts";
import { billOperatorRoutes } from "./bills/operator-routes.ts";
import { createRateBook } from "./bills/rate-book.ts";
import { billRoutes } from "./bills/routes.ts";
import { billSandboxRoutes } from "./bills/steer-routes.ts";
import { cardSandboxRoutes } from "./checkout/cards/sandbox-routes.ts";
import { sendWaitingCodes } from "./checkout/consent/code-order.ts";
import { loanMoved } from "./checkout/follow-loans.ts";
import { createPageFinder } from "./checkout/pages/page-token.ts";
import { checkoutRoutes } from "./checkout/routes.ts";
import type { Config } from "./config.ts";
import { eventCatalogue } from "./event-catalogue.ts";
import { registerPages } from "./hosted-pages.ts";
import type { GroupCommit } from "./ledger/group-commit.ts";
import { loanOwners } from "./loan-owners.ts";
import { loanOperatorRoutes } from "./loans/operator-routes.ts";
import { loanRoutes } from "./loans/routes.ts";
import { loanSandboxRoutes } from "./loans/sandbox-routes.ts";
import { localTrial } from "./local-trial.ts";
import { profileRoutes, registerLogos } from "./merchants/profile-routes.ts";
import { merchantRoutes } from "./merchants/routes.ts";
import { openEnvironment } from "./open-environment.ts";
import type { OpenRails } from "./open-rails.ts";
import { owedKinds } from "./owed-kinds.ts";
import type { Database } from "./platform/database/database.ts";
import { missingMigrations } from "./platform/database/migrations.ts";
import { createGuardDependencies } from "./platform/http/guard.ts";
import { type Audience, createOpenApiDocument } from "./platform/http/openapi/document.ts";
import { registerReferencePages } from "./platform/http/reference-page.ts";
import { registerRoutes } from "./platform/http/register-routes.ts";
import type { Route } from "./platform/http/route.ts";
import { createHttpServer, defaultBodyLimitBytes } from "./platform/http/server.ts";
import { type ReadinessCheck, registerServiceRoutes } from "./platform/http/service-routes.ts";
import type { Logger } from "./platform/logger.ts";
import { createMetrics, type GaugeSource, poolGauge } from "./platform/metrics.ts";
import type { EventCatalogue } from "./platform/records/event-catalogue.ts";
import type { Sealer } from "./platform/secrets/crypto.ts";
import type { ClockControl } from "./platform/time/clock-control.ts";
import { problemCatalogue } from "./problem-catalogue.ts";
import { owedGauge } from "./rails/owed-outcomes.ts";
import { owedRoutes } from "./rails/owed-routes.ts";
import { bankRoutes } from "./sandbox/bank/bank-routes.ts";
import { vaultRoutes } from "./sandbox/card/vault-routes.ts";
import { clockRoutes } from "./sandbox/clock-routes.ts";
import { messageRoutes } from "./sandbox/message/message-routes.ts";
import { resetRoutes } from "./sandbox/reset-routes.ts";
import { type TransferRouteDependencies, transferRoutes } from "./transfers/routes.ts";
import { transferOperatorRoutes, transferSandboxRoutes } from "./transfers/steer-routes.ts";
import { createTariffBook } from "./transfers/tariff-book.ts";
import { createKnownWallets } from "./wallets/known-wallets.ts";
import { walletOperatorRoutes } from "./wallets/operator-routes.ts";
import { walletRoutes } from "./wallets/routes.ts";
import { walletSandboxRoutes } from "./wallets/sandbox-routes.ts";
import { statementRoutes } from "./wallets/statement-routes.ts";
import { endpointRoutes } from "./webhooks/endpoint-routes.ts";
import { eventRoutes } from "./webhooks/event-routes.ts";

export interface AppDependencies {
  readonly config: Pick<Config, "trustProxy" | "rateLimit" | "publicUrl" | "nubanCheck" | "webhookReach"> & {
    readonly operatorToken?: string | undefined;
    readonly lender?: Config["lender"] | undefined;
  };
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Moves money; one per process, shared with the worker. */
  readonly groupCommit: GroupCommit;
  readonly rails: Omit<OpenRails, "close">;
  /** Reads and moves the clocks of sandboxes. */
  readonly clock: ClockControl;
  /** Runs what is due in a frozen sandbox. */
  settleFrozen(environmentId: string): Promise<void>;
  /** Further figures for /metrics, such as those of the jobs. */
  readonly gauges?: readonly GaugeSource[];
  readonly processFigures?: boolean;
  /** Opens the demo merchant's sandbox, outside production: the demo shop sells with it. */
  readonly demoKey?: string | undefined;
  /** Added by tests. */
  readonly extraRoutes?: readonly Route[];
}

export async function createApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, db, log } = deps;
  const metrics = createMetrics({
    sources: [poolGauge(deps.pool), ...owedKinds.map((kind) => owedGauge(db, kind)), ...(deps.gauges ?? [])],
    processFigures: deps.processFigures ?? false,
    onSourceError: (name, error) => log.warn({ err: error, gauge: name }, "a gauge could not be read"),
  });
  const app = createHttpServer({
    log,
    metrics,
    trustProxy: config.trustProxy,
    httpsOnly: config.publicUrl.startsWith("https:"),
  });
  const authenticator = createAuthenticator({
    db,
    onError: (error) => log.warn({ err: error }, "last-used times of keys could not be written"),
  });
  app.addHook("onClose", () => authenticator.close());
  const routes = [...appRoutes(deps), ...(deps.extraRoutes ?? [])];
  registerRoutes(app, routes, {
    db,
    sealer: deps.sealer,
    settleFrozen: deps.settleFrozen,
    onSettleError: settleErrorTo(log),
    guards: createGuardDependencies(
      {
        authenticate: authenticator.authenticate,
        authenticateOperator: createOperatorAuthenticator(config.operatorToken),
        requireScope,
        findPage: createPageFinder(db),
      },
      config.rateLimit,
    ),
    catalogue: problemCatalogue,
    bodyLimitBytes: defaultBodyLimitBytes,
  });
  registerServiceRoutes(app, readinessChecks(db), metrics);
  const document = (audience: Audience) => openApiDocument(routes, config.publicUrl, audience);
  registerReferencePages(app, document, localTrial(app, deps));
  registerLogos(app, db);
  registerPages(app, { publicUrl: config.publicUrl, demoKey: deps.demoKey });
  await app.ready();
  return app;
}

export type RouteDependencies = Omit<AppDependencies, "pool" | "gauges" | "processFigures" | "demoKey" | "extraRoutes">;

/** Every endpoint of the API; the OpenAPI document and the tests read the same list. */
export function appRoutes(deps: RouteDependencies): Route[] {
  const { conditions, decide } = deps.rails.simulatedBank;
  const catalogues = createCatalogueBook(deps.db);
  const lending = { sealer: deps.sealer, rails: deps.rails.rails };
  const eventNames = Object.keys(eventCatalogue);
  return [
    ...loanRoutes(deps),
    ...checkoutRoutes(checkoutDependencies(deps)),
    ...transferRoutes(transferDependencies(deps)),
    ...billRoutes({
      ...{ db: deps.db, groupCommit: deps.groupCommit, rails: deps.rails.rails },
      ...{ catalogues, rates: createRateBook(deps.db), settleFrozen: settlingFrozen(deps) },
      knownWallets: createKnownWallets(deps.db),
    }),
    ...walletRoutes(deps),
    ...statementRoutes(deps),
    ...endpointRoutes({ ...deps, reach: deps.config.webhookReach, eventNames }),
    ...eventRoutes({ ...deps, eventNames }),
    ...clockRoutes(deps),
    ...walletSandboxRoutes(),
    ...loanSandboxRoutes(lending),
    ...transferSandboxRoutes({ decidePayment: decide }),
    ...billSandboxRoutes({ decideVend: deps.rails.simulatedBiller.decide }),
    ...cardSandboxRoutes({
      ...checkoutDependencies(deps),
      ...{ loanMoved, makeCardToken: deps.rails.simulatedCard.makeToken },
    }),
    ...bankRoutes(conditions),
    ...messageRoutes({
      list: deps.rails.simulatedMessage.list,
      carryWaiting: (environmentId) => sendWaitingCodes(checkoutDependencies(deps), environmentId),
    }),
    ...vaultRoutes(deps.rails.simulatedCard),
    ...resetRoutes({ ...deps, environmentOpened: openEnvironment, sandboxEmptied: () => conditions.forget() }),
    ...profileRoutes({ db: deps.db, publicUrl: deps.config.publicUrl }),
    ...merchantRoutes({ ...deps, environmentOpened: openEnvironment }),
    ...walletOperatorRoutes(),
    ...owedRoutes(deps.db, owedKinds),
    ...billOperatorRoutes({ db: deps.db, catalogues }),
    ...loanOperatorRoutes(lending),
    ...transferOperatorRoutes(loanOwners(deps.sealer)),
    ...authRoutes(deps),
  ];
}

function transferDependencies(deps: RouteDependencies): TransferRouteDependencies {
  const { db, groupCommit, sealer, rails, config } = deps;
  return {
    db,
    groupCommit,
    sealer,
    rails: rails.rails,
    knownWallets: createKnownWallets(db),
    nubanCheck: config.nubanCheck,
    tariffs: createTariffBook(db),
    forcedHealth: rails.simulatedBank.conditions.all,
    settleFrozen: settlingFrozen(deps),
  };
}

function checkoutDependencies({ db, sealer, log, rails, config }: RouteDependencies) {
  const { publicUrl, nubanCheck, lender } = config;
  return { db, sealer, log, rails: rails.rails, publicUrl, nubanCheck, lender };
}

/** What was asked for is committed by then: a failure here must not turn its answer into an error. */
function settlingFrozen({ settleFrozen, log }: RouteDependencies): (environmentId: string) => Promise<void> {
  const onError = settleErrorTo(log);
  return (environmentId) => settleFrozen(environmentId).catch((error: unknown) => onError(error, environmentId));
}

function settleErrorTo(log: Logger): (error: unknown, environmentId: string) => void {
  return (error, environmentId) => log.error({ err: error, environmentId }, "a frozen sandbox was not settled");
}

export function openApiDocument(
  routes: readonly Route[],
  baseUrl: string,
  audience: Audience,
  events: EventCatalogue = eventCatalogue,
): Record<string, unknown> {
  return createOpenApiDocument({ audience, routes, catalogue: problemCatalogue, events, baseUrl, tags: apiTags });
}

function readinessChecks(db: Database): ReadinessCheck[] {
  return [
    { name: "database", check: async () => void (await sql`select 1`.execute(db)) },
    { name: "migrations", check: () => refuseMissingMigrations(db) },
  ];
}

async function refuseMissingMigrations(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0) throw new Error(`these migrations are not applied: ${missing.join(", ")}`);
}
