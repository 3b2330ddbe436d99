/**
 * The composition root of HTTP: the routes of all slices meet the platform here, and nowhere else.
 */
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  type Authenticator,
  createAuthenticator,
  createOperatorAuthenticator,
  requireScope,
} from "../auth/authenticate.ts";
import { createPageFinder } from "../checkout/pages/page-token.ts";
import { registerSignIn } from "../console/auth-mount.ts";
import { doorOf, keepDoors, openDoor } from "../console/door.ts";
import type { People } from "../console/people.ts";
import { registerLogos } from "../merchants/profile-routes.ts";
import type { Database } from "../platform/database/database.ts";
import { missingMigrations } from "../platform/database/migrations.ts";
import { requireRoom } from "../platform/database/retry-transient.ts";
import { requirePrimary } from "../platform/database/tend-connections.ts";
import { type Authentication, createGuardDependencies } from "../platform/http/guard/guard.ts";
import { type Audience, createOpenApiDocument } from "../platform/http/openapi/document.ts";
import { registerReferencePages } from "../platform/http/openapi/reference-page.ts";
import type { Route } from "../platform/http/route.ts";
import type { MetricsAccess } from "../platform/http/server/metrics-route.ts";
import { registerRoutes } from "../platform/http/server/register-routes.ts";
import { createHttpServer, defaultBodyLimitBytes } from "../platform/http/server/server.ts";
import { type ReadinessCheck, registerServiceRoutes } from "../platform/http/server/service-routes.ts";
import { createMetrics, type GaugeSource, type Metrics, poolGauge } from "../platform/metrics.ts";
import { commonProblem } from "../platform/problem.ts";
import { rememberFor } from "../platform/remember.ts";
import type { ClockControl } from "../platform/time/clock-control.ts";
import { registerStatusPage } from "../queues/status-page.ts";
import { registerProviderDoors } from "../rails/connections/provider-doors.ts";
import { createRequestLog, droppedGauge } from "../requests/request-log.ts";
import { type BankPage, registerBankPage } from "../sandbox/card/bank-page.ts";
import { isPaying } from "../transfers/sending/ask-about-payment.ts";
import type { Config } from "./config.ts";
import { registerPages } from "./hosted-pages.ts";
import { isAtHome, localTrial } from "./local-trial.ts";
import { openEnvironmentOf } from "./open-environment.ts";
import { type Parts, type RouteNeeds, type RouteParts, routeNeeds } from "./slice-needs.ts";
import { type JaraHouse, house as ourHouse } from "./slices.ts";

export interface AppDependencies
  extends Omit<Parts, "webhookReach" | "publicUrl" | "requestLogDays" | "archive">,
    Pick<RouteNeeds, "clock"> {
  readonly config: Pick<
    Config,
    "trustProxy" | "rateLimit" | "publicUrl" | "nubanCheck" | "webhookReach" | "requestLogDays"
  > & {
    readonly operatorToken?: string | undefined;
    /** This machine only, unless it says otherwise. */
    readonly metricsAccess?: MetricsAccess;
    readonly lender?: Config["lender"] | undefined;
    readonly archive?: Config["archive"];
  };
  readonly pool: pg.Pool;
  /** Further figures for /metrics, such as those of the jobs. */
  readonly gauges?: readonly GaugeSource[];
  readonly processFigures?: boolean;
  /** Opens the demo merchant's sandbox, outside production: the demo shop sells with it. */
  readonly demoKey?: string | undefined;
  /** Added by tests. */
  readonly extraRoutes?: readonly Route[];
  /** All slices that there are, unless a test adds one. */
  readonly house?: JaraHouse;
}

export async function createApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, db, log, house = ourHouse } = deps;
  const needs = needsOf(deps, { isAtHome: deps.demoKey === undefined ? undefined : isAtHome });
  const settleFrozen = (environmentId: string) =>
    deps.clock
      .settleFrozen(environmentId)
      .catch((error: unknown) => log.error({ err: error, environmentId }, "a frozen sandbox was not settled"));
  const requestLog = createRequestLog({
    db,
    onError: (error) => log.warn({ err: error }, "requests could not be written down"),
  });
  const metrics = openMetrics(deps, droppedGauge(requestLog.dropped), needs);
  const app = createHttpServer({
    log,
    metrics,
    trustProxy: config.trustProxy,
    rateLimit: config.rateLimit,
    httpsOnly: config.publicUrl.startsWith("https:"),
    publicUrl: config.publicUrl,
    rewriteUrl: openDoor,
    ...(config.requestLogDays === 0 ? {} : { onAnswered: requestLog.note }),
  });
  app.addHook("onRequest", keepDoors(config.publicUrl));
  app.addHook("onClose", () => requestLog.close());
  const authenticator = createAuthenticator({
    db,
    onError: (error) => log.warn({ err: error }, "last-used times of keys could not be written"),
  });
  app.addHook("onClose", () => authenticator.close());
  const routes = [...house.routes(needs), ...(deps.extraRoutes ?? [])];
  registerRoutes(app, routes, {
    db,
    sealer: deps.sealer,
    settleFrozen,
    guards: createGuardDependencies(
      {
        ...authenticationOf(needs.people, authenticator, config.operatorToken),
        requireScope,
        findPage: createPageFinder(db),
      },
      config.rateLimit,
    ),
    catalogue: house.problems,
    bodyLimitBytes: defaultBodyLimitBytes,
  });
  registerSignIn(app, needs.people);
  registerProviderDoors(app, { ...needs, isPaying: (...asked) => isPaying(needs, ...asked) });
  registerServiceRoutes(app, readinessChecks(db), metrics, config.metricsAccess ?? { to: "loopback" });
  const document = (audience: Audience) => openApiDocument(routes, config.publicUrl, audience, house);
  const trial = localTrial(app, deps);
  registerReferencePages(app, document, trial);
  registerLogos(app, db);
  registerStatusPage(app, needs);
  registerBankPage(app, bankPageOf(needs, settleFrozen));
  registerPages(app, { publicUrl: config.publicUrl, demoKey: deps.demoKey, trial });
  app.decorate("metrics", metrics);
  await app.ready();
  return app;
}

function openMetrics(deps: AppDependencies, dropped: GaugeSource, needs: RouteNeeds): Metrics {
  const { pool, log, house = ourHouse, gauges = [], processFigures = false } = deps;
  return createMetrics({
    sources: [poolGauge(pool), dropped, ...house.gauges(needs), ...gauges],
    processFigures,
    onSourceError: (name, error) => log.warn({ err: error, gauge: name }, "a gauge could not be read"),
  });
}

/** Through the console's doors a person comes in by session, everywhere else a program by key or token. */
function authenticationOf(
  people: People,
  { authenticate }: Authenticator,
  operatorToken: string | undefined,
): Pick<
  Authentication,
  "authenticate" | "authenticateMember" | "authenticateOperator" | "authenticatePerson" | "admit"
> {
  const byToken = createOperatorAuthenticator(operatorToken);
  return {
    authenticate: (request) => {
      const door = doorOf(request);
      if (door?.guard === "key") return people.enter(request, door.environmentId);
      return authenticate(request.headers.authorization, request.ip);
    },
    authenticateMember: async (request) => {
      const door = doorOf(request);
      if (door?.guard !== "key") throw commonProblem("not_found");
      return people.enter(request, door.environmentId);
    },
    authenticateOperator: (request, route) =>
      doorOf(request) === undefined ? byToken(request.headers.authorization) : people.operate(request, route),
    authenticatePerson: people.meet,
    admit: people.admit,
  };
}

/** A holder's bank tells us like any other: that there is news, and no more. */
function bankPageOf(
  { simulatedCard, chargeHasNews }: RouteNeeds,
  settleFrozen: ClockControl["settleFrozen"],
): BankPage {
  const { read, decide } = simulatedCard.bankPage;
  return {
    read,
    async decide(subject, word) {
      const next = await decide(subject, word);
      await chargeHasNews({ environmentId: subject.sandbox, id: subject.id });
      await settleFrozen(subject.sandbox);
      return next;
    },
  };
}

export type RouteDependencies = Omit<AppDependencies, "pool" | "gauges" | "processFigures" | "demoKey" | "extraRoutes">;

/** Every endpoint of the API; the OpenAPI document and the tests read the same list. */
export function appRoutes(deps: RouteDependencies): Route[] {
  return (deps.house ?? ourHouse).routes(needsOf(deps));
}

function needsOf(
  { config, house = ourHouse, ...parts }: RouteDependencies,
  place: Pick<RouteParts, "isAtHome"> = {},
): RouteNeeds {
  const { webhookReach, publicUrl, requestLogDays, nubanCheck, lender, archive, trustProxy } = config;
  return routeNeeds(
    { ...parts, ...place, webhookReach, publicUrl, requestLogDays, nubanCheck, lender, archive, trustProxy },
    { ...house, environmentOpened: openEnvironmentOf(house) },
  );
}

export function openApiDocument(
  routes: readonly Route[],
  baseUrl: string,
  audience: Audience,
  { problems, events, sections }: Pick<JaraHouse, "problems" | "events" | "sections"> = ourHouse,
): Record<string, unknown> {
  return createOpenApiDocument({ audience, routes, catalogue: problems, events, baseUrl, tags: sections });
}

/** So that a hasty prober does not keep the disk busy. */
const roomFreshMs = 2_000;

function readinessChecks(db: Database): ReadinessCheck[] {
  return [
    { name: "database", check: () => requirePrimary(db) },
    { name: "disk", check: rememberFor(roomFreshMs, () => requireRoom(db)) },
    { name: "migrations", check: () => refuseMissingMigrations(db) },
  ];
}

async function refuseMissingMigrations(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length > 0) throw new Error(`these migrations are not applied: ${missing.join(", ")}`);
}
