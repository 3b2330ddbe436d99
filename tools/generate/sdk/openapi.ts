/** As much of an OpenAPI document as the types of the SDK are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  /** The name of an event, or `*` for all. */
  readonly "x-event"?: boolean;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface ReplyOf extends Content {
  readonly $ref?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, ReplyOf>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ReplyOf>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Every operation with its name for the SDK: `POST /transfers`. */
export function operationsOf({ paths }: OpenApi): (Operation & { readonly name: string })[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
  );
}

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

export function parametersOf({ components }: OpenApi, { parameters = [] }: Operation, place: Parameter["in"]) {
  return parameters
    .map((parameter) =>
      parameter.$ref === undefined ? parameter : known(components.parameters, refName(parameter.$ref)),
    )
    .filter((parameter) => parameter.in === place);
}

export function replyOf({ components }: OpenApi, reply: ReplyOf): ReplyOf {
  return reply.$ref === undefined ? reply : known(components.responses, refName(reply.$ref));
}

/** The schema of the JSON that comes with success. */
export function successOf(document: OpenApi, { operationId, responses }: Operation): Schema {
  const good = Object.entries(responses).find(([status]) => /^2/.test(status));
  const schema = good && replyOf(document, good[1]).content?.["application/json"]?.schema;
  if (schema === undefined) throw new Error(`${operationId} documents no success in JSON`);
  return schema;
}

export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.["application/json"]?.schema;
}

export function known<T>(book: Readonly<Record<string, T>>, name: string): T {
  const found = book[name];
  if (found === undefined) throw new Error(`the document refers to ${name}, which it does not have`);
  return found;
}
