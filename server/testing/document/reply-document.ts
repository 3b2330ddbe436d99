/** The OpenAPI document as the tests read it. Validators are compiled when a reply first needs them. */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { nairaFromNumber } from "../../src/money/kobo.ts";
import type { Family } from "../../src/platform/http/family.ts";
import { operationsOf } from "../../src/platform/http/openapi/document.ts";
import { nameBeforeRouting } from "../../src/platform/http/openapi/errors.ts";
import type { Route } from "../../src/platform/http/route.ts";
import type { ProblemCatalogue } from "../../src/platform/problem.ts";

export interface DeclaredReply {
  /** Where it stands in the document. */
  readonly pointer: string;
  /** The names in lower case, each with whether it must be there. */
  readonly headers: ReadonlyMap<string, boolean>;
  readonly mediaTypes: readonly string[];
}

export interface ReplyDocument {
  replyOf(route: Route, status: number): DeclaredReply | undefined;
  replyBeforeRouting(family: Family, code: string): DeclaredReply | undefined;
  /** Whether this refusal says when to ask again. */
  promisesRetryAfter(code: string): boolean;
  /** A line for each thing that does not fit. */
  compare(declared: DeclaredReply, body: unknown): string[];
}

type Node = { readonly [key: string]: Node };

export function openReplyDocument(routes: readonly Route[], problems: ProblemCatalogue): ReplyDocument {
  let opened: { document: Node; ajv: Ajv } | undefined;
  const open = () => {
    opened ??= compileLater(routes, problems);
    return opened;
  };
  const validators = new Map<string, ValidateFunction>();
  return {
    replyOf: ({ path, method }, status) =>
      declaredAt(open().document, ["paths", path, method.toLowerCase(), "responses", String(status)]),
    replyBeforeRouting: (family, code) =>
      declaredAt(open().document, ["components", "responses", nameBeforeRouting(family, code)]),
    promisesRetryAfter: (code) => problems[code]?.retryAfter === true,
    compare({ pointer }, body) {
      const known =
        validators.get(pointer) ?? open().ajv.compile({ $ref: `${pointer}/content/application~1json/schema` });
      validators.set(pointer, known);
      return known(body) ? [] : [...new Set((known.errors ?? []).map(lineOf))];
    },
  };
}

function compileLater(routes: readonly Route[], problems: ProblemCatalogue): { document: Node; ajv: Ajv } {
  const document = JSON.parse(JSON.stringify(operationsOf(routes, problems)), refuseOthers) as Node;
  // Most of these run a few times: to make them quicker takes longer than they do.
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, code: { optimize: false } });
  addFormats.default(ajv, ["uuid", "email", "date-time", "date", "uri"]);
  ajv.addFormat("naira", { type: "number", validate: (value: number) => nairaFromNumber(value) !== undefined });
  ajv.addSchema(document, "document");
  return { document, ajv };
}

/** A caller may meet more fields one day; a test that meets one today has found something undeclared. */
function refuseOthers(_: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && "properties" in value && "type" in value;
  return isObject && !("additionalProperties" in value) ? { ...value, additionalProperties: false } : value;
}

function declaredAt(document: Node, steps: readonly string[]): DeclaredReply | undefined {
  const found = steps.reduce<Node | undefined>((node, step) => node?.[step], document);
  if (found === undefined) return undefined;
  const reference: unknown = found["$ref"];
  if (typeof reference === "string") return declaredAt(document, reference.slice(2).split("/"));
  const headers = Object.entries(found["headers"] ?? {}).map(([name, header]): [string, boolean] => [
    name.toLowerCase(),
    isRequired(document, header),
  ]);
  const pointer = `document#/${steps.map((step) => encodeURIComponent(step.replaceAll("/", "~1"))).join("/")}`;
  return { pointer, headers: new Map(headers), mediaTypes: Object.keys(found["content"] ?? {}) };
}

function isRequired(document: Node, header: Node): boolean {
  const reference: unknown = header["$ref"];
  const name = typeof reference === "string" ? reference.split("/").at(-1) : undefined;
  const meant = name === undefined ? header : document["components"]?.["headers"]?.[name];
  return (meant?.["required"] as unknown) === true;
}

function lineOf({ instancePath, message, params, data }: ErrorObject): string {
  const value = JSON.stringify(data)?.slice(0, 200);
  return `  at ${instancePath === "" ? "/" : instancePath}: ${message} ${JSON.stringify(params)}, found ${value}`;
}
