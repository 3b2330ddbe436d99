/**
 * The OpenAPI document as a Postman collection (v2.1), with a folder for each section. The document has an example for
 * everything that is sent, which is all that a collection needs; converters that read any document weigh 40 MB.
 */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Sample>>;
  };
}

interface Sample {
  readonly examples?: readonly unknown[];
}

interface Reference {
  readonly $ref: string;
}

interface Operation {
  readonly operationId?: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Sample | Reference;
}

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

export function postmanCollection(document: OpenApi): object {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const folders = document.tags.map(({ name, description = "" }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ path, method, operation }) => itemOf(document, path, method, operation)),
  }));
  return {
    info: { name: document.info.title, description: document.info.description, version: document.info.version, schema },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{secretKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: "http://localhost:4000", type: "string" },
      { key: "secretKey", value: "", type: "string", description: "sk_test_… of your sandbox" },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function itemOf({ components }: OpenApi, path: string, method: string, operation: Operation): object {
  const parameters = (operation.parameters ?? []).map((one) => resolve(components.parameters, one));
  const keyAndValue = ({ name, description = "", schema: sample }: Parameter) => ({
    key: name,
    value: String(resolve(components.schemas, sample).examples?.[0] ?? ""),
    description,
  });
  const placed = (place: Parameter["in"]) => parameters.filter((one) => one.in === place);
  const body = operation.requestBody?.content["application/json"]?.example;
  const query = placed("query").map((one) => ({ ...keyAndValue(one), disabled: one.required !== true }));
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replace(/^\{(\w+)\}$/, ":$1"));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    name: operation.summary,
    request: {
      method,
      header: [
        ...(body === undefined ? [] : [{ key: "Content-Type", value: "application/json" }]),
        ...placed("header").map((one) => ({ ...keyAndValue(one), disabled: true })),
      ],
      url: {
        raw: `{{baseUrl}}/${steps.join("/")}${sent.length === 0 ? "" : `?${sent.join("&")}`}`,
        host: ["{{baseUrl}}"],
        path: steps,
        ...(query.length === 0 ? {} : { query }),
        ...(placed("path").length === 0 ? {} : { variable: placed("path").map(keyAndValue) }),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: "raw", raw: JSON.stringify(body, null, 2), options: { raw: { language: "json" } } } }),
      description: operation.description ?? operation.summary,
    },
    response: [],
  };
}

function resolve<Part extends object>(parts: Readonly<Record<string, Part>>, one: Part | Reference): Part {
  if (!("$ref" in one)) return one;
  const part = parts[one.$ref.split("/").at(-1) ?? ""];
  if (part === undefined) throw new Error(`the document has no ${one.$ref}`);
  return part;
}
