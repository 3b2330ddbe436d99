/**
 * The HTTP server without any business: limits, headers, parsing, and one place where errors become answers. Domains'
 * routes are added with `registerRoutes`.
 */

import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import fastJsonStringify, { type Schema } from "fast-json-stringify";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type onRequestHookHandler,
} from "fastify";
import { isUuid } from "../../database/ids.ts";
import { outageProblem } from "../../database/outage-problem.ts";
import { isConnectionLost, isTransient } from "../../database/retry-transient.ts";
import type { Metrics } from "../../metrics.ts";
import { commonProblem, Problem } from "../../problem.ts";
import { type Tracing, tracing } from "../../tracing.ts";
import { type Caller, environmentOf, type Page, type Person } from "../caller.ts";
import { countStrangers, strangersBodyLimitBytes } from "../guard/open-doors.ts";
import { httpProblem } from "../http-problems.ts";
import { type AnsweredRequest, answeredRequest, recordOf, routeOf } from "../reply/answered-request.ts";
import { apiVersion, errorText } from "../reply/envelope.ts";
import {
  allowOf,
  createKnownPaths,
  familyOfUrl,
  type KnownPaths,
  methodNotAllowed,
  nothingHere,
  pathOf,
} from "../reply/known-paths.ts";
import { allowReading } from "../reply/other-origins.ts";
import { helpLink, sendProblem, setCommonHeaders } from "../reply/replies.ts";
import { parseJsonBody } from "../request/json-body.ts";
import type { Route } from "../route.ts";

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

/**
 * Says once that a proxy stands in front of a server that was not told of it. All callers then seem to have the proxy's
 * address: they share the limits for strangers, guessed passwords are counted by account only, and no key's list of
 * addresses can match.
 */
function warnOfForwarded(log: FastifyBaseLogger): onRequestHookHandler {
  let told = false;
  return ({ headers }, _reply, done) => {
    if (!told && (headers["x-forwarded-for"] ?? headers["forwarded"]) !== undefined) {
      told = true;
      log.warn(
        "A request carries X-Forwarded-For or Forwarded, but TRUST_PROXY is false: every caller seems to have the address of the proxy, so all of them share the limits for sign-in, wrong keys and public files. If a proxy of yours stands in front of this server, set TRUST_PROXY to the number of proxies (such as 1) or to their addresses.",
      );
    }
    done();
  };
}

/** A request as a span, made when its reply is sent: until then nothing is known of the record that it makes. */
function traceRequest(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): void {
  const { method, replied, caller } = request;
  const { statusCode: status } = reply;
  const route = routeOf(request.routeOptions.url ?? "");
  const { traceparent } = request.headers;
  const span = tracing.begin({
    name: route === "" ? method : `${method} ${route}`,
    kind: "server",
    recordId: recordOf({ method, status, responseBody: replied?.body ?? null }),
    environmentId: caller?.environmentId ?? null,
    startMs: Date.now() - reply.elapsedTime,
    caller: typeof traceparent === "string" ? traceparent : undefined,
    facts: {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "jara.request_id": request.id,
    },
  });
  span.end({}, status >= 500 ? (replied?.code ?? String(status)) : undefined);
}

/** The record that the path names, if it names one. */
function recordIn(params: unknown): string | undefined {
  const { id } = (params ?? {}) as { readonly id?: unknown };
  return typeof id === "string" && isUuid(id) ? id : undefined;
}

/** The one place where a throw becomes an answer. Bugs and outages are logged with their cause; refusals are not. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = translateError(error);
  if (problem.status >= 500) {
    const context = {
      err: problem.cause ?? problem,
      requestId: request.id,
      environmentId: environmentOf(request),
      recordId: recordIn(request.params),
      method: request.method,
      code: problem.code,
    };
    const route = request.routeOptions?.url ?? `unmatched (${familyOfUrl(request.url)})`;
    if (problem.code === "internal") request.log.error({ ...context, route }, "a request failed by a bug");
    else request.log.warn({ ...context, route }, "a request could not be served");
  }
  // Errors of the router come before any hook has run.
  setCommonHeaders(reply, request.id);
  sendProblem(reply, problem);
}

/** Turns whatever was thrown into a Problem of the catalogue. What nobody foresaw becomes `internal` and leaks nothing. */
type CommonCode = Parameters<typeof commonProblem>[0];

/** Fastify's own errors that say something more exact than their status. */
const fastifyCodes: Readonly<Record<string, CommonCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_NOT_FOUND: "not_found",
  // A path that is longer than any id of ours leads nowhere.
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};

const retrySoonSeconds = 2;

export function translateError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isConnectionLost(error) || isTransient(error)) return outageProblem(error, retrySoonSeconds);
  return fromFastify(error) ?? commonProblem("internal", { cause: error });
}

function fromFastify(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (!error.code.startsWith("FST_ERR_")) return undefined;
  const exact = fastifyCodes[error.code];
  if (exact !== undefined) return commonProblem(exact, { cause: error });
  const status = "statusCode" in error ? error.statusCode : undefined;
  const callersFault = typeof status === "number" && status >= 400 && status < 500;
  return callersFault ? commonProblem("invalid_request", { cause: error }) : undefined;
}

/**
 * Answers what never became a request: malformed HTTP, a flood of headers, a sender that stalls. There is no path to
 * tell the family by, so the general one answers.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket, publicUrl: string): void {
  // The other side is gone, or a reply is already on its way: whatever we wrote now would only confuse it.
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const requestId = nameRequest();
  const body = errorText("general", problem, requestId);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? "Error"}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `API-Version: ${apiVersion}`,
      `Link: ${helpLink(publicUrl, problem.code)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function problemOf(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return httpProblem("headers_too_large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return httpProblem("request_timeout");
  return commonProblem("invalid_request");
}

/** Names requests. A random word for the process and a running number: unique, short, and cheaper than a UUID each. */
const processName = randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0");
let count = 0;

const harmless = /^[\w.:-]{1,128}$/;

/** The caller's own id is kept when it is harmless, so that their logs and ours can be joined. */
export function nameRequest(given?: string | string[]): string {
  if (typeof given === "string" && harmless.test(given)) return given;
  count += 1;
  return `req_${processName}${count.toString(36)}`;
}

/** What the layers of one request hand to each other. */
declare module "fastify" {
  interface FastifyRequest {
    /** The bytes of a JSON body, kept for the hash of an Idempotency-Key. */
    rawBody: Buffer | null;
    caller: Caller | null;
    operator: { readonly name: string } | null;
    page: Page | null;
    person: Person | null;
    /** Where a stranger's request was counted: undoes it, for one that turned out to be welcome. */
    giveBack: (() => void) | null;
    /** What was sent back, once it was. */
    replied: { readonly body: string; readonly code: string | null } | null;
  }
  interface FastifyContextConfig {
    /** Who may come in; undefined where everybody may. */
    readonly guard?: Route["guard"];
    /** Asked by machines of the operator's, such as a proxy that looks after its servers. */
    readonly isUncounted?: true;
  }
  interface FastifyInstance {
    readonly knownPaths: KnownPaths;
    /** Where people reach this server, without a slash at the end. */
    readonly publicUrl: string;
    /** What Prometheus reads, for a port of its own. */
    readonly metrics?: Metrics;
    /** Begun: answers now end their connection, and a request that only waits must reply now. */
    readonly shutdown: { readonly begun: boolean; readonly signal: AbortSignal };
  }
}

/** Declares the properties up front, so that every request has the same shape. */
function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest("rawBody", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("operator", null);
  app.decorateRequest("page", null);
  app.decorateRequest("person", null);
  app.decorateRequest("giveBack", null);
  app.decorateRequest("replied", null);
}

/** The first step of every request: the headers of every answer, and what can be refused before anything is read. */
const oneYear = "max-age=31536000; includeSubDomains";

function startRequest(known: KnownPaths, httpsOnly: boolean): onRequestHookHandler {
  return (request, reply, done) => {
    setCommonHeaders(reply, request.id);
    if (httpsOnly) reply.header("strict-transport-security", oneYear);
    const raw = request.raw;
    const hosts = hostsOf(raw.rawHeaders);
    if (hosts === 0 && raw.httpVersionMinor === 1) {
      done(commonProblem("invalid_request", { message: "HTTP/1.1 requests need a Host header." }));
    } else if (hosts > 1) {
      // A proxy may have believed the other one.
      done(commonProblem("invalid_request", { message: "Send one Host header, not several." }));
    } else if (request.is404) {
      refuseUnmatched(known, request, reply, done);
    } else {
      done();
    }
  };
}

/** Names and values alternate; Node's parsed headers keep only the first Host. */
function hostsOf(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;
}

/** Refused here and not in a not-found handler, which would read and judge the body first. */
function refuseUnmatched(
  known: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const methods = known.methodsOf(pathOf(request.url));
  if (methods.length === 0 || isTypo(known, request)) done(nothingHere(known, request));
  else if (request.method !== "OPTIONS") done(methodNotAllowed(methods));
  else {
    // No other CORS headers: a secret key has no business in a browser.
    if (known.isShared(pathOf(request.url))) allowReading(reply);
    reply.header("allow", allowOf(methods)).code(204).send();
  }
}

/** The router would take /loans/created for a loan, which cannot be posted to; /loans/create can, so that was meant. */
function isTypo(known: KnownPaths, { url, method }: FastifyRequest): boolean {
  const meant = known.meant(pathOf(url));
  return meant !== undefined && known.methodsOf(meant).includes(method);
}
