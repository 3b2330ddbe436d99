/** Holds replies against what the OpenAPI document declares for their operations. */

import { familyOf } from "../../src/platform/http/family.ts";
import { codesOf } from "../../src/platform/http/openapi/errors.ts";
import { pathOf } from "../../src/platform/http/reply/known-paths.ts";
import type { Route } from "../../src/platform/http/route.ts";
import type { ProblemCatalogue } from "../../src/platform/problem.ts";
import { type DeclaredReply, openReplyDocument, type ReplyDocument } from "./reply-document.ts";

export interface SentReply {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Behind the console's doors are the same routes. What is refused there for want of a session, or of a role, is
 * declared at the routes about people.
 */
const doors = /^\/console\/api(\/environments\/[^/]+(?=\/)|(?=\/operator\/))/;
const refusedAtDoors = new Set([
  "not_signed_in",
  "cross_site_request",
  "role_missing",
  "environment_not_found",
  "proof_needed",
  "approval_needed",
  "payment_repeated",
]);

export interface ReplyBook {
  /** Whether one of the routes serves this request. */
  knows(reply: Pick<SentReply, "method" | "url">): boolean;
  /** What the document does not declare of this reply, each with what to write where. */
  faultsOf(reply: SentReply): string[];
  /** The route that gave this reply, if any did, and with which code it refused. */
  originOf(reply: SentReply): { readonly route: Route | undefined; readonly code: string | undefined };
}

/** Of the transport and the browser: they say nothing about the interface. */
const silentHeaders = new Set([
  "content-type",
  "content-length",
  "transfer-encoding",
  "date",
  "connection",
  "keep-alive",
  "vary",
  "cache-control",
  "x-content-type-options",
  "content-security-policy",
  "referrer-policy",
  "strict-transport-security",
  "content-disposition",
]);

export function createReplyBook(routes: readonly Route[], problems: ProblemCatalogue): ReplyBook {
  const document = openReplyDocument(routes, problems);
  const findRoute = routeFinder(routes);
  const throughDoor = (sent: SentReply): SentReply => ({ ...sent, url: sent.url.replace(doors, "") });
  const routeBehind = (reply: SentReply): Route | undefined => {
    const route = findRoute(reply);
    return refusedByRouter(reply, route) ? undefined : route;
  };
  return {
    knows: ({ method, url }) => findRoute({ method, url: url.replace(doors, "") }) !== undefined,
    originOf(sent) {
      const reply = throughDoor(sent);
      return { route: routeBehind(reply), code: codeOf(reply) };
    },
    faultsOf(sent) {
      const reply = throughDoor(sent);
      if (reply.url !== sent.url && refusedAtDoors.has(codeOf(reply) ?? "")) return [];
      const route = routeBehind(reply);
      return route === undefined ? faultsBeforeRouting(document, reply) : faultsOfRoute(document, route, reply);
    },
  };
}

function routeFinder(routes: readonly Route[]): (asked: Pick<SentReply, "method" | "url">) => Route | undefined {
  const finders = routes.map((route) => ({ route, pattern: patternOf(route), ids: route.path.split("{").length }));
  // A path that is written out is found before one with an id in it.
  finders.sort((one, other) => one.ids - other.ids);
  return ({ method, url }) => {
    const asked = method === "HEAD" ? "GET" : method;
    return finders.find(({ route, pattern }) => route.method === asked && pattern.test(pathOf(url)))?.route;
  };
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]*")}$`);
}

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * No route gives these, unless it declares them itself: the router did not take the path for one of ours, or its id for
 * an id.
 */
function refusedByRouter(reply: SentReply, route: Route | undefined): boolean {
  const code = codeOf(reply);
  // To whoever comes with a key, the routes of people in an environment are not there.
  const isOwn = route?.guard === "member" || route?.problems?.includes("not_found");
  if (code === "not_found" && isOwn) return false;
  const hasId = pathOf(reply.url)
    .split("/")
    .some((step) => id.test(step));
  return code === "method_not_allowed" || (code === "not_found" && !hasId);
}

function faultsOfRoute(document: ReplyDocument, route: Route, reply: SentReply): string[] {
  const name = `${route.method} ${route.path}`;
  const code = codeOf(reply);
  if (code !== undefined && !codesOf(route).includes(code)) {
    return [`${name} was refused with ${code}. Declare it: add "${code}" to the problems of its description.`];
  }
  const declared = document.replyOf(route, reply.status);
  if (declared === undefined) {
    const declaring = `also: { ${reply.status}: "<what it means>" }`;
    return [`${name} returned ${reply.status}. Declare it: add ${declaring} to the reply of its description.`];
  }
  return [...headerFaults(document, name, declared, reply), ...bodyFaults(document, name, declared, reply)];
}

/** Replies without a route: what Fastify itself refuses, and what is not part of the API, such as pages. */
function faultsBeforeRouting(document: ReplyDocument, reply: SentReply): string[] {
  const code = codeOf(reply);
  // The demo shop is a merchant's application: what it says to its own page is not part of our interface.
  if (code === undefined || reply.url.startsWith("/shop/")) return [];
  const name = `${reply.method} ${reply.url.slice(0, 100)}, which no route serves,`;
  const declared = document.replyBeforeRouting(familyOf(reply.url), code);
  if (declared === undefined) {
    return [`${name} was refused with ${code}. Declare it: add it to the codes before routing in openapi/errors.ts.`];
  }
  return [...headerFaults(document, name, declared, reply), ...bodyFaults(document, name, declared, reply)];
}

function headerFaults(document: ReplyDocument, name: string, { headers }: DeclaredReply, reply: SentReply): string[] {
  const place = reply.status < 400 ? "reply.headers of its description" : "openapi/errors.ts";
  const sent = Object.keys(reply.headers).map((header) => header.toLowerCase());
  const undeclared = sent.filter((header) => !silentHeaders.has(header) && !headers.has(header));
  const missing = [...headers].filter(([header, required]) => required && !sent.includes(header));
  const said = `${name} returned ${reply.status}`;
  return [
    ...undeclared.map((header) => `${said} with the header ${header}. Declare it: add it to ${place}.`),
    ...missing.map(([header]) => `${said} without the header ${header}, which the document promises.`),
    ...retryFaults(document, said, codeOf(reply), sent.includes("retry-after")),
  ];
}

function retryFaults(document: ReplyDocument, said: string, code: string | undefined, sent: boolean): string[] {
  if (code === undefined || document.promisesRetryAfter(code) === sent) return [];
  return sent
    ? [`${said} (${code}) with Retry-After. Declare it: add retryAfter: true to ${code} in its errors.ts.`]
    : [`${said} (${code}) without the header Retry-After, which ${code} promises in its errors.ts.`];
}

function bodyFaults(document: ReplyDocument, name: string, declared: DeclaredReply, reply: SentReply): string[] {
  if (reply.method === "HEAD") return [];
  const type = String(reply.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  if (type === "" && declared.mediaTypes.length === 0) {
    return reply.body === "" ? [] : [`${name} returned ${reply.status} with a body, and none is declared.`];
  }
  if (!declared.mediaTypes.includes(type)) {
    return [`${name} returned ${reply.status} as "${type}". Declare it: add it to reply.alsoAs of its description.`];
  }
  if (type !== "application/json") return [];
  const errors = document.compare(declared, JSON.parse(reply.body));
  if (errors.length === 0) return [];
  const code = codeOf(reply);
  const remedy =
    code === undefined
      ? "Correct the schema in reply.data of its description, or what the handler returns."
      : `Give ${code} in its errors.ts the schema of its data (data: Type.Object({ … })), or correct that schema.`;
  const what = code === undefined ? "" : ` (${code})`;
  return [`${name} returned ${reply.status}${what} with a body that does not fit:\n${errors.join("\n")}\n${remedy}`];
}

function codeOf({ status, headers, body }: SentReply): string | undefined {
  if (status < 400 || !String(headers["content-type"]).startsWith("application/json") || body === "") return undefined;
  const content: unknown = JSON.parse(body);
  const isObject = typeof content === "object" && content !== null && "code" in content;
  return isObject && typeof content.code === "string" ? content.code : undefined;
}
