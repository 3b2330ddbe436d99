/**
 * The HTTP server without any business: limits, headers, parsing, and one place where errors become answers. Domains'
 * routes are added with `registerRoutes`.
 */
import fastJsonStringify, { type Schema } from "fast-json-stringify";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import type { Metrics } from "../metrics.ts";
import { tracing } from "../tracing.ts";
import { type AnsweredRequest, answeredRequest } from "./answered-request.ts";
import { answerClientError } from "./client-error.ts";
import { answerError } from "./error-handler.ts";
import { warnOfForwarded } from "./forwarded-headers.ts";
import { parseJsonBody } from "./json-body.ts";
import { createKnownPaths } from "./known-paths.ts";
import { countStrangers, strangersBodyLimitBytes } from "./open-doors.ts";
import { nameRequest } from "./request-id.ts";
import { startRequest } from "./request-start.ts";
import { decorateRequests } from "./request-state.ts";
import { traceRequest } from "./trace-request.ts";

export interface HttpServerOptions {
  readonly log: FastifyBaseLogger;
  readonly metrics: Metrics;
  /** As Fastify takes it: false, true, a hop count, or addresses. */
  readonly trustProxy: boolean | number | string;
  /** Requests per second and address where no key is needed; 0, or nothing, turns the limit off. */
  readonly rateLimit?: number;
  /** Sent as Strict-Transport-Security; only right when the public address is https. */
  readonly httpsOnly?: boolean;
  /** Where people reach this server; without it, links in replies are relative. */
  readonly publicUrl?: string;
  /** The path that a route is looked for by; the same as was asked for, unless a prefix leads into the API. */
  readonly rewriteUrl?: NonNullable<FastifyServerOptions["rewriteUrl"]>;
  /** Told of every request with a secret key, after its reply is sent. */
  readonly onAnswered?: (request: AnsweredRequest) => void;
}

/** Of a route that asks for a key, or another proof of who calls, before it reads the body. */
export const defaultBodyLimitBytes = 1_048_576;

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { publicUrl = "" } = options;
  const app = Fastify({
    loggerInstance: withoutChildren(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxyTrust(options.trustProxy),
    bodyLimit: strangersBodyLimitBytes,
    requestTimeout: 60_000,
    requestIdHeader: false,
    ...(options.rewriteUrl === undefined ? {} : { rewriteUrl: options.rewriteUrl }),
    genReqId: (request) => nameRequest(request.headers["x-request-id"]),
    // Requests that still arrive while we close are answered, and told to send no more on that connection.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, publicUrl),
    frameworkErrors: answerError,
    // Checked by us, so that the refusal has a body.
    http: { requireHostHeader: false },
  });
  decorateRequests(app);
  compileSerialisersLate(app);
  readJsonBodies(app);
  const known = createKnownPaths();
  app.decorate("knownPaths", known);
  app.decorate("publicUrl", publicUrl);
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) known.add(route.url, method);
  });
  if (options.trustProxy === false) app.addHook("onRequest", warnOfForwarded(options.log));
  app.addHook("onRequest", startRequest(known, options.httpsOnly === true));
  app.addHook("onRequest", countStrangers(options.rateLimit ?? 0));
  app.setErrorHandler(answerError);
  closeConnectionsOnShutdown(app);
  observeRequests(app, options);
  return app;
}

/** A child logger a request costs more than our few log lines are worth; they name the request themselves. */
function withoutChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log);
  shared.child = () => shared;
  return shared;
}

/** Trusting a number of hops means trusting the nearest ones. */
function proxyTrust(trust: boolean | number | string): NonNullable<FastifyServerOptions["trustProxy"]> {
  return typeof trust === "number" ? (_, hop) => hop < trust : trust;
}

/** A reply's serialiser is compiled for the first reply: compiling all of them took a tenth of a start. */
function compileSerialisersLate(app: FastifyInstance): void {
  app.setSerializerCompiler(({ schema }) => {
    let serialise: ((data: unknown) => string) | undefined;
    return (data) => {
      serialise ??= fastJsonStringify(schema as Schema);
      return serialise(data);
    };
  });
}

const mostValues = 50_000;
/** Of a route that takes more than usual at once, such as a batch of payouts. */
const mostValuesInBulk = 200_000;

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, raw, done) => {
    request.rawBody = raw;
    try {
      const isBulk = request.routeOptions.bodyLimit > defaultBodyLimitBytes;
      done(null, parseJsonBody(raw, isBulk ? mostValuesInBulk : mostValues));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** A connection that was busy when closing began would be kept alive afterwards and hold the server open. */
function closeConnectionsOnShutdown(app: FastifyInstance): void {
  const closing = new AbortController();
  const shutdown = { begun: false, signal: closing.signal };
  app.decorate("shutdown", shutdown);
  app.addHook("preClose", async () => {
    shutdown.begun = true;
    closing.abort();
  });
}

function observeRequests(app: FastifyInstance, { metrics, onAnswered }: HttpServerOptions): void {
  app.addHook("onResponse", (request, reply, done) => {
    const answered = onAnswered && answeredRequest(request, reply);
    if (answered !== undefined) onAnswered?.(answered);
    const open = tracing();
    if (open !== undefined) traceRequest(open, request, reply);
    const route = request.routeOptions.url ?? "unmatched";
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
