/**
 * Lets a developer try every operation of the reference with one click. On the machine that the server runs on, the
 * page has the demo sandbox's key, and its examples are records of that sandbox, made there through the API itself.
 * They have references of their own, so a second visit finds them again instead of making more.
 */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Trial } from "../platform/http/openapi/reference-page.ts";
import type { Logger } from "../platform/logger.ts";
import { playTrial, type TrialCall, type TrialRecords, trialReferences } from "./trial-records.ts";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const homeNames = new Set(["localhost", "127.0.0.1", "[::1]"]);
const proxies = ["forwarded", "x-forwarded-for", "x-forwarded-host", "via"];

/** Undefined where there is no demo sandbox, such as in production. */
export function localTrial(
  app: FastifyInstance,
  { demoKey, log }: { readonly demoKey?: string | undefined; readonly log: Logger },
): Trial | undefined {
  if (demoKey === undefined) return undefined;
  const call = callerOf(app, demoKey);
  return {
    secretKey: demoKey,
    isAtHome,
    fill: async (document) => {
      const records = await playTrial(call, (step, refusal) => log.debug({ step, refusal }, "no example was made"));
      return fillExamples(document, records, randomUUID().slice(0, 8));
    },
  };
}

/** Whether the server listens to this machine only, and somebody asks who sits at it. */
export function isAtHome(request: FastifyRequest): boolean {
  return listensAtHome(request.server) && comesFromHome(request);
}

function listensAtHome({ server }: Pick<FastifyInstance, "server">): boolean {
  const address = server.address();
  return typeof address === "object" && address !== null && loopback.has((address as AddressInfo).address);
}

/** A tunnel ends on this machine too, and a foreign name can be made to lead here: neither is a reader at home. */
function comesFromHome({ socket, headers }: FastifyRequest): boolean {
  const name = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  const isPassedOn = proxies.some((header) => headers[header] !== undefined);
  return loopback.has(socket.remoteAddress ?? "") && homeNames.has(name) && !isPassedOn;
}

function callerOf(app: FastifyInstance, secretKey: string): TrialCall {
  return async (method, path, body, idempotencyKey) => {
    const reply = await app.inject({
      method,
      url: path,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const { data, code } = reply.json<{ data: unknown; code?: string }>();
    if (code !== undefined) throw new Error(code);
    return data as Record<string, unknown>;
  };
}

/** Puts records that exist into the examples of the OpenAPI document. */
type Document = Record<string, unknown>;
type Name = keyof TrialRecords;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Record<string, unknown>;
}

interface Operation {
  parameters?: (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { example?: Record<string, unknown> }>> };
}

/** Whose id a parameter is, by the beginning of the path; the first line that fits holds. */
const idsOf: readonly (readonly [path: string, parameter: string, record: Name])[] = [
  ["/loans/bnpl/checkout-sessions/", "id", "session"],
  ["/loans/bnpl/", "customerId", "customer"],
  ["/loans/bnpl/", "loanId", "checkoutLoan"],
  ["/loans/bnpl/", "cardId", "card"],
  ["/loans/", "id", "loan"],
  ["/sandbox/loans/", "id", "loan"],
  ["/transfers/bulk/", "batchId", "batch"],
  ["/transfers/", "id", "transfer"],
  ["/sandbox/transfers/", "id", "transfer"],
  ["/bills/", "id", "bill"],
  ["/sandbox/bills/", "id", "bill"],
  ["/sandbox/card-links/", "linkId", "cardLink"],
  ["/wallets/sub-accounts/", "id", "subAccount"],
  ["/webhooks/endpoints/", "id", "endpoint"],
  ["/events/", "id", "event"],
];

const bodiesOf: Readonly<Record<string, Readonly<Record<string, Name>>>> = {
  "/wallets/transfers": { from: "mainWallet", to: "subAccount" },
  "/sandbox/wallets/credit": { accountNumber: "accountNumber" },
  "/loans/bnpl/checkout-sessions": { customer_id: "customer" },
};

/** `visit` names this filling, so that references are new at each visit. */
function fillExamples(document: Document, records: TrialRecords, visit: string): Document {
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const { parameters } = document["components"] as { readonly parameters: Record<string, Parameter> };
  let place = 0;
  for (const [path, operations] of Object.entries(paths)) {
    for (const operation of Object.values(operations)) {
      place += 1;
      fillParameters(path, operation, parameters, records);
      renewNames(operation, `${visit}-${place}`);
      fillBody(path, operation, records);
    }
  }
  return document;
}

/** A shared parameter that has a record here stands at the operation itself from now on. */
function fillParameters(
  path: string,
  operation: Operation,
  shared: Readonly<Record<string, Parameter>>,
  records: TrialRecords,
): void {
  operation.parameters = (operation.parameters ?? []).map((written) => {
    const parameter = "$ref" in written ? shared[written.$ref.split("/").at(-1) ?? ""] : written;
    const value = parameter === undefined ? undefined : exampleFor(path, parameter, records);
    if (parameter === undefined || value === undefined) return written;
    return { ...parameter, schema: { ...parameter.schema, examples: [value] } };
  });
}

function exampleFor(path: string, parameter: Parameter, records: TrialRecords): string | undefined {
  if (path === "/transfers/verify") return trialReferences.transfer;
  if (parameter.in !== "path") return undefined;
  const line = idsOf.find(([start, name]) => path.startsWith(start) && name === parameter.name);
  return line === undefined ? undefined : records[line[2]];
}

/** These belong to one request for ever: the same example twice would be a conflict or a repetition. */
const unique = new Set(["reference", "batchReference", "order_reference", "externalId"]);

function renewNames({ requestBody }: Operation, suffix: string): void {
  const content = requestBody?.content["application/json"];
  if (content?.example === undefined) return;
  let items = 0;
  const renew = (name: string, value: unknown): unknown => {
    if (typeof value !== "string") return value;
    // An endpoint's address belongs to one endpoint.
    if (name === "url") return `${value}/docs-${suffix}`;
    if (!unique.has(name)) return value;
    items += 1;
    return `docs-${suffix}-${items}`;
  };
  content.example = JSON.parse(JSON.stringify(content.example), renew);
}

function fillBody(path: string, { requestBody }: Operation, records: TrialRecords): void {
  const content = requestBody?.content["application/json"];
  if (content?.example === undefined) return;
  if (path === "/bills/status") content.example = { ...content.example, reference: trialReferences.bill };
  for (const [field, record] of Object.entries(bodiesOf[path] ?? {})) {
    const value = records[record];
    if (value !== undefined) content.example = { ...content.example, [field]: value };
  }
}
