/** Turns an operation and its input into a request, and the reply into data. */
import type { Operations } from "../api.gen.ts";
import { JaraInputError } from "../errors.ts";
import { type AmountForm, writeAmounts } from "../wire/amount.ts";
import { camelKeys, snakeKeys } from "../wire/casing.ts";
import { createList, type List } from "./list.ts";
import { notOurs, parseBody, type ReplyInfo } from "./reply.ts";
import type { CallOptions, Settings } from "./settings.ts";
import { type Outgoing, type Transported, transport, unreadable } from "./transport.ts";

/** `POST /transfers`. */
export type OperationName = keyof Operations;
export type ListName = {
  [Name in OperationName]: Operations[Name] extends { item: unknown } ? Name : never;
}[OperationName];
export type CallName = Exclude<OperationName, ListName>;
export type InputOf<Name extends OperationName> = Operations[Name]["input"];
export type DataOf<Name extends CallName> = Operations[Name] extends { data: infer Data } ? Data : never;
export type ItemOf<Name extends ListName> = Operations[Name] extends { item: infer Item } ? Item : never;

/** What the SDK itself adds to a call. */
export interface Manner {
  readonly amounts?: AmountForm;
  readonly headers?: Record<string, string>;
  /** Keys stay as the wire has them. */
  readonly wire?: boolean;
}

export interface Input {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

export interface Answer {
  readonly body: Record<string, unknown>;
  readonly info: ReplyInfo;
}

export interface Caller {
  call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
    manner?: Manner,
  ): Promise<DataOf<Name>>;
  list<Name extends ListName>(name: Name, input: InputOf<Name>, options?: CallOptions): List<ItemOf<Name>>;
  /** The body of the reply as text, for replies that are not JSON. */
  text(name: OperationName, input: Input, options?: CallOptions, manner?: Manner): Promise<string>;
  /** Any path, documented or not. */
  send(name: string, input: Input, options?: CallOptions, manner?: Manner): Promise<Answer>;
}

/** As in package.json; a test compares. */
const sdkVersion = "0.3.0";

/** `token` goes after `Bearer `; it is read at each request and held nowhere else. */
export function createCaller(settings: Settings, token: () => string): Caller {
  const reach = async (name: string, input: Input, options: CallOptions, manner: Manner) => {
    const outgoing = outgoingOf(settings, token(), name, input, options, manner);
    let info: ReplyInfo | undefined;
    const reply = await transport(settings.fetch, outgoing, (heard) => {
      info = heard;
      settings.onReply?.(heard);
      options.onReply?.(heard);
    });
    return { reply, info, outgoing };
  };
  const send: Caller["send"] = async (name, input, options = {}, manner = {}) => {
    const { reply, info, outgoing } = await reach(name, input, options, manner);
    const body = readable(reply, outgoing);
    return {
      body: manner.wire === true ? body : (camelKeys(body) as Record<string, unknown>),
      info: info as ReplyInfo,
    };
  };
  return {
    send,
    call: async <Name extends CallName>(name: Name, input: InputOf<Name>, options?: CallOptions, manner?: Manner) =>
      (await send(name, input, options, manner)).body["data"] as DataOf<Name>,
    list: <Name extends ListName>(name: Name, input: InputOf<Name>, options?: CallOptions) =>
      createList<ItemOf<Name>>(
        (query) => send(name, { ...input, query }, options),
        "query" in input ? input.query : {},
      ),
    text: async (name, input, options = {}, manner = {}) => (await reach(name, input, options, manner)).reply.text,
  };
}

function readable(reply: Transported, outgoing: Outgoing): Record<string, unknown> {
  const body = parseBody(reply);
  if (body === undefined) throw unreadable(outgoing, notOurs(reply), reply.attempts);
  return body;
}

function outgoingOf(
  settings: Settings,
  token: string,
  name: string,
  { path, query, body }: Input,
  options: CallOptions,
  { amounts = "number", headers = {}, wire = false }: Manner,
): Outgoing {
  const [method = "", template = ""] = name.split(" ", 2);
  const idempotencyKey = method === "POST" ? keyOf(options.idempotencyKey) : null;
  const asWritten = wire ? body : writeAmounts(body, amounts);
  const isLoans = template.startsWith("/loans");
  const sent = isLoans && !wire ? snakeKeys(asWritten) : asWritten;
  return {
    operation: name,
    method,
    url: `${settings.baseUrl}${fillPath(template, path)}${queryText(query)}`,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${token}`,
      "user-agent": `jara-sdk/${sdkVersion}`,
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }),
      ...headers,
    },
    body: sent === undefined ? undefined : JSON.stringify(sent),
    idempotencyKey,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
    signal: options.signal ?? settings.signal,
    retry: { ...settings.retry, maxRetries: options.maxRetries ?? settings.retry.maxRetries },
  };
}

function keyOf(given: string | false | undefined): string | null {
  if (given === false) return null;
  if (given === undefined) return crypto.randomUUID();
  if (!/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw new JaraInputError("idempotencyKey has 1 to 255 visible ASCII characters, without spaces.");
  }
  return given;
}

/** An empty id, or one of dots, would turn into another address. */
function fillPath(template: string, path: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(path[name] ?? "");
    if (/^\.{0,2}$/.test(value)) throw new JaraInputError(`${name} is ${JSON.stringify(value)}, which is not an id.`);
    return encodeURIComponent(value);
  });
}

function queryText(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    value === undefined || value === null
      ? []
      : [
          `${encodeURIComponent(name)}=${encodeURIComponent(value instanceof Date ? value.toISOString() : String(value))}`,
        ],
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
