/** Makes Fastify routes of the domains' descriptions. Everything that can be decided once is decided here, not per request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { operatorScope } from "../../database/database.ts";
import { aboutRequest } from "../../log-subject.ts";
import { commonProblem, type FieldError, Problem, type ProblemCatalogue } from "../../problem.ts";
import type { IdempotentRequest } from "../../records/idempotency.ts";
import { type AskTogether, createAskTogether } from "../../work/ask-together.ts";
import { environmentOf, type Member } from "../caller.ts";
import { type Family, familyOf } from "../family.ts";
import { type GuardDependencies, guardFor } from "../guard/guard.ts";
import { strangersBodyLimitBytes } from "../guard/open-doors.ts";
import { envelopeSchema, wrapReply } from "../reply/envelope.ts";
import { missedId } from "../reply/known-paths.ts";
import { isReadFromAnySite, letOthersRead } from "../reply/other-origins.ts";
import { sendCached, sendPresented, sendStreamed, warningHeader } from "../reply/replies.ts";
import { compileNames, type FieldNames } from "../request/field-names.ts";
import { isStorableText, unstorableText } from "../request/json-body.ts";
import { compileFind, compileTest, type FindErrors } from "../request/validation.ts";
import type { Ask, Kept, PresentedReply, Read, Reply, Route, Streamed, Write, Written } from "../route.ts";
import {
  afterWrite,
  findKept,
  hashOf,
  idempotencyOf,
  ofHolder,
  runRead,
  runWrite,
  type WriteDependencies,
  type WriteRequest,
} from "./write.ts";

export interface RouteDependencies extends WriteDependencies {
  readonly guards: GuardDependencies;
  readonly catalogue: ProblemCatalogue;
  readonly bodyLimitBytes: number;
}

/** A route with what was worked out at registration. */
interface Prepared {
  readonly route: Route;
  readonly family: Family;
  readonly fitsParams: ((params: unknown) => boolean) | null;
  readonly findInQuery: FindErrors | null;
  readonly findInBody: FindErrors | null;
  /** As `findInBody`, also where the handler checks the body: for a request that is refused before it gets there. */
  readonly findInForm: FindErrors | null;
  readonly names: FieldNames;
  /** Null when there is only JSON: then Accept is not looked at, as most callers send none that means anything. */
  readonly mediaTypes: readonly string[] | null;
  /** Bodies of replies that several callers get. */
  readonly shared: WeakMap<Reply<unknown>, PresentedReply>;
  readonly askTogether: AskTogether;
  /** Thrown for an id that cannot be one: the same answer as for an id that nobody has. */
  notFound(): Problem;
}

export function registerRoutes(app: FastifyInstance, routes: readonly Route[], deps: RouteDependencies): void {
  const askIn = (mayBeReplica: boolean) =>
    createAskTogether((environmentId, work) => runRead(deps, { environmentId, mayBeReplica }, work));
  const [askPrimary, askReplicas] = [askIn(false), askIn(true)];
  for (const route of routes) {
    const isShared = isReadFromAnySite(route);
    if (isShared) app.knownPaths.share(route.path);
    const prepared = prepare(route, deps.catalogue, mayBeReadFromReplica(route) ? askReplicas : askPrimary);
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      // Members and keys come through the same door of the console.
      config: { guard: route.guard === "member" ? "key" : route.guard },
      bodyLimit: route.bodyLimitBytes ?? (needsNoKey(route) ? strangersBodyLimitBytes : deps.bodyLimitBytes),
      schema: { response: { "2xx": envelopeSchema(prepared.family, route) } },
      onRequest: [...(isShared ? [letOthersRead] : []), guardFor(route, deps.guards)],
      handler: (request, reply) => answer(prepared, deps, request, reply),
    });
  }
}

/** A customer's page has a token of its own, but thousands of customers have one. */
const needsNoKey = ({ guard }: Route): boolean => guard === "visitor" || guard === "page";

function prepare(route: Route, catalogue: ProblemCatalogue, askTogether: AskTogether): Prepared {
  const missing = (route.problems ?? []).filter((code) => catalogue[code] === undefined);
  if (missing.length > 0) {
    throw new Error(`${route.method} ${route.path} names problems that no catalogue has: ${missing.join(", ")}`);
  }
  const notFoundCode = (route.problems ?? []).find((code) => catalogue[code]?.status === 404) ?? "not_found";
  const kind = catalogue[notFoundCode];
  if (kind === undefined) throw new Error("the catalogue lacks not_found");
  const findInForm = route.body === undefined ? null : compileFind(route.body, "body");
  return {
    route,
    family: familyOf(route.path),
    fitsParams: route.params === undefined ? null : compileTest(route.params),
    findInQuery: route.query === undefined ? null : compileFind(route.query, "query"),
    findInBody: route.bodyCheckedByHandler === true ? null : findInForm,
    findInForm,
    names: compileNames(route.query, route.body),
    mediaTypes: route.reply.alsoAs === undefined ? null : [jsonType, ...Object.keys(route.reply.alsoAs)],
    shared: new WeakMap(),
    askTogether,
    notFound: () => new Problem(notFoundCode, kind),
  };
}

const none: readonly FieldError[] = [];

async function answer(
  prepared: Prepared,
  deps: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.caller?.kind === "SANDBOX") warnOfUnknown(prepared, request, reply);
  checkInput(prepared, request);
  const present = (made: Reply<unknown>): PresentedReply => presentReply(prepared, reply, made);
  const gone = (): AbortSignal => endOf(reply);
  const subject = { requestId: request.id, environmentId: environmentOf(request) };
  const outcome = await aboutRequest(subject, () => handle(prepared, deps, request, { present, gone }));
  if ("chunks" in outcome) return sendStreamed(reply, outcome);
  if ("presented" in outcome) {
    if (outcome.replayed) reply.header("idempotent-replayed", "true");
    return sendPresented(reply, outcome.presented, outcome.headers);
  }
  if (prepared.route.reply.cached === true) return sendCached(reply, present(outcome), request.headers);
  return sendPresented(reply, present(outcome), outcome.headers);
}

function warnOfUnknown({ names }: Prepared, { query, body }: FastifyRequest, reply: FastifyReply): void {
  const warning = names.warningOf({ query, body });
  if (warning !== undefined) reply.header(warningHeader, warning);
}

function checkInput(prepared: Prepared, request: FastifyRequest): void {
  if (prepared.fitsParams !== null && !paramsFit(prepared.fitsParams, request.params)) {
    throw missedId(request.server.knownPaths, request, prepared.notFound);
  }
  if (request.url.includes("%00")) refuseUnstorableQuery(request.query);
  const inQuery = prepared.findInQuery?.(request.query) ?? none;
  // No body at all is an empty one: what is missing is then told field by field.
  if (prepared.findInForm !== null && request.body === undefined) request.body = {};
  const inBody = prepared.findInBody?.(request.body) ?? none;
  const misspelt = prepared.names.findMisspelt(request);
  if (inQuery.length + inBody.length + misspelt.length === 0) return;
  const inForm = misspelt.length === 0 ? inBody : (prepared.findInForm?.(request.body) ?? none);
  const found = withoutRepeats([...misspelt, ...inQuery, ...inForm]);
  throw commonProblem("validation_failed", { errors: withRules(prepared.route, request, found) });
}

/** One sentence a field: "is required" adds nothing where the field came under another spelling. */
function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  return [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed();
}

/** What has the right form and is wrong all the same is told together with what the schemas found. */
function withRules(route: Route, request: FastifyRequest, found: readonly FieldError[]): readonly FieldError[] {
  const fields = route.body === undefined ? request.query : request.body;
  if (route.rules === undefined || typeof fields !== "object" || fields === null) return found;
  const told = new Set(found.map(({ field }) => field));
  const kind = request.caller?.kind ?? request.page?.environmentKind ?? "SANDBOX";
  const broken = route.rules(fields as Readonly<Record<string, unknown>>, kind);
  return [...found, ...broken.filter(({ field }) => !told.has(field))];
}

function paramsFit(fits: (params: unknown) => boolean, params: unknown): boolean {
  return (
    fits(params) && Object.values(params ?? {}).every((value) => typeof value !== "string" || isStorableText(value))
  );
}

function refuseUnstorableQuery(query: unknown): void {
  const bad = Object.entries(query ?? {})
    .filter(([name, value]) => ![name, value].flat().every((text) => isStorableText(String(text))))
    .map(([name]) => name.replaceAll("\0", "\ufffd"));
  if (bad.length > 0) throw unstorableText(bad);
}

function handle(
  { route, mediaTypes, askTogether }: Prepared,
  deps: RouteDependencies,
  request: FastifyRequest,
  { present, gone }: { present(reply: Reply<unknown>): PresentedReply; gone(): AbortSignal },
): Promise<Reply<unknown> | Written<unknown> | Streamed> {
  const idempotency = idempotencyOf(request);
  const writing: WriteRequest = { ...writerOf(route, request, idempotency), present };
  const reading = { environmentId: writing.environmentId, mayBeReplica: mayBeReadFromReplica(route) };
  const write: Write = (work) => runWrite(deps, writing, work);
  const read: Read = (work) => runRead(deps, reading, work);
  const kept: Kept = () => findKept(deps, writing);
  const { params, query, body, headers, id: requestId, ip: address } = request;
  const mediaType = mediaTypes === null ? jsonType : chooseMediaType(headers.accept, mediaTypes);
  const asked = { params, query, body, headers, mediaType, requestId, address, gone, write, read, kept };
  if (route.guard === "operator") return route.handle({ ...asked, operator: operatorOf(request) });
  if (route.guard === "page") return route.handle({ ...asked, page: pageOf(request) });
  if (route.guard === "person") return route.handle({ ...asked, person: personOf(request) });
  if (route.guard === "visitor") return route.handle(asked);
  const keeping = () => ({
    key: idempotency?.key ?? null,
    requestHash: idempotency?.requestHash ?? hashOf(request),
    present,
    committed: () => afterWrite(deps, writing.environmentId),
  });
  const ask: Ask = (question, key) => askTogether(callerOf(request), question, key);
  if (route.guard === "member") return route.handle({ ...asked, keeping, ask, caller: memberOf(request) });
  return route.handle({ ...asked, keeping, ask, caller: callerOf(request) });
}

/** What programs and people look at. A hosted page reads in order to act at once: it stays with the primary. */
function mayBeReadFromReplica({ method, guard, readsPrimary }: Route): boolean {
  return method === "GET" && readsPrimary !== true && guard !== "page" && guard !== "visitor";
}

/** In whose name a handler writes: the environment, and the Idempotency-Key as it is known there. */
function writerOf(
  route: Route,
  request: FastifyRequest,
  idempotency: IdempotentRequest | null,
): Pick<WriteRequest, "environmentId" | "idempotency"> {
  if (route.guard === "operator" || route.guard === "visitor") return { environmentId: operatorScope, idempotency };
  if (route.guard === "person") {
    return { environmentId: operatorScope, idempotency: ofHolder(idempotency, "person", personOf(request).id) };
  }
  if (route.guard === "member") {
    const { environmentId, person } = memberOf(request);
    return { environmentId, idempotency: ofHolder(idempotency, "person", person.id) };
  }
  if (route.guard === "key") return { environmentId: callerOf(request).environmentId, idempotency };
  const { environmentId, pageId } = pageOf(request);
  return { environmentId, idempotency: ofHolder(idempotency, "page", pageId) };
}

/** The response's end, because a request's `close` may come as soon as its body was read. */
function endOf(reply: FastifyReply): AbortSignal {
  const end = new AbortController();
  reply.raw.once("close", () => end.abort());
  return AbortSignal.any([end.signal, reply.server.shutdown.signal]);
}

function callerOf(request: FastifyRequest) {
  if (request.caller === null) throw new Error("a key route ran without its guard");
  return request.caller;
}

function memberOf(request: FastifyRequest): Member {
  const caller = callerOf(request);
  if (caller.person === null) throw new Error("a member's route ran for a key");
  return { ...caller, person: caller.person };
}

function operatorOf(request: FastifyRequest) {
  if (request.operator === null) throw new Error("an operator route ran without its guard");
  return request.operator;
}

function pageOf(request: FastifyRequest) {
  if (request.page === null) throw new Error("a page route ran without its guard");
  return request.page;
}

function personOf(request: FastifyRequest) {
  if (request.person === null) throw new Error("a person's route ran without its guard");
  return request.person;
}

/** Serialisation by schema drops every field that the description does not declare. */
function presentReply(prepared: Prepared, reply: FastifyReply, made: Reply<unknown>): PresentedReply {
  const known = made.isShared === true ? prepared.shared.get(made) : undefined;
  if (known !== undefined) return known;
  const serialise = reply.getSerializationFunction("2xx");
  if (serialise === undefined) throw new Error(`${prepared.route.path} has no serialiser`);
  const body = serialise(wrapReply(prepared.family, prepared.route, made));
  const presented = { status: made.status ?? prepared.route.reply.status, body };
  if (made.isShared === true) prepared.shared.set(made, presented);
  return presented;
}

/** Chooses between the media types of a route by the caller's Accept header (RFC 9110). */
export const jsonType = "application/json";

interface Wish {
  readonly range: string;
  readonly quality: number;
}

/** The best of `offered` for this caller; the first when the caller does not mind. Throws not_acceptable. */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string {
  const wishes = parseAccept(accept ?? "*/*");
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(type, wishes);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best !== undefined) return best.type;
  throw commonProblem("not_acceptable", {
    message: `This path answers in ${offered.join(" or ")}. Ask for one of them with Accept.`,
  });
}

function parseAccept(accept: string): Wish[] {
  return accept.split(",").map((part) => {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { range, quality: /^[01](\.\d{0,3})?$/.test(quality) ? Number(quality) : 1 };
  });
}

/** The most precise wish that covers the type decides. */
function qualityOf(type: string, wishes: readonly Wish[]): number {
  for (const range of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const wish = wishes.find((candidate) => candidate.range === range);
    if (wish !== undefined) return wish.quality;
  }
  return 0;
}
