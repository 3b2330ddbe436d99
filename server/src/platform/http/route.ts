/**
 * How a domain describes an endpoint. One description gives validation, serialisation, the guard, the error bodies
 * of the right family and the operation in the OpenAPI document. The handler parses nothing: it calls a use case and
 * presents the result.
 */
import type { Static, TSchema } from "typebox";
import type { EnvironmentKind, Tx } from "../database/database.ts";
import type { FieldError } from "../problem.ts";
import type { PageMeta, Pagination } from "../records/pagination.ts";
import type { Question } from "../work/ask-together.ts";
import type { Caller, Member, Page, PageKind, Person } from "./caller.ts";

/** What a handler answers. The status and sentence of the description hold unless it names others. */
export interface Reply<Data> {
  readonly data: Data;
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lists of the general family. */
  readonly pagination?: Pagination;
  /** Lists of the loans family. */
  readonly meta?: PageMeta;
  /** Several callers may be given this very object: its body is made once. */
  readonly isShared?: true;
}

/** Said of a reference that was used before: here is its record, and nothing was done a second time. */
export const repeated = { status: 200, headers: { "idempotent-replayed": "true" } } as const;

/** What every handler is given. Body, params and query have passed their schemas. */
interface BaseRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the caller wants: JSON, or one of the description's other media types. */
  readonly mediaType: string;
  readonly requestId: string;
  /** The caller's address, after trusted proxies. */
  readonly address: string;
  /** For a handler that waits on purpose: aborted when nobody is there for the reply any more, or the server closes. */
  gone(): AbortSignal;
  readonly read: Read;
  readonly write: Write;
  readonly kept: Kept;
}

/** A reply as it goes over the wire: what is kept under an Idempotency-Key. */
export interface PresentedReply {
  readonly status: number;
  readonly body: string;
}

/**
 * A reply whose transaction is over. It is already presented, because a replayed one exists in no other form; the
 * handler returns it as it is. `Data` only says for the compiler what the body holds.
 */
export interface Written<Data> {
  readonly presented: PresentedReply;
  readonly replayed: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly holds?: Data;
}

/**
 * Runs `work` in one transaction of the caller's environment and keeps its reply under the Idempotency-Key, if one
 * was sent, in that same transaction. A repeated request gets the kept reply and `work` does not run.
 */
export type Write = <Data>(work: (tx: Tx) => Promise<Reply<Data>>) => Promise<Written<Data>>;

/**
 * Runs `work` in one transaction of the caller's environment that takes no place in the order of its writes. In a GET
 * it may be served by a replica that has everything which was committed before.
 */
export type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * The reply that an earlier request left under this Idempotency-Key; undefined when there is none, or no key was sent.
 * For a handler that asks a stranger before it writes: a twin that slips in between asks a second time, and gets the
 * first one's reply all the same.
 */
export type Kept = <Data>() => Promise<Written<Data> | undefined>;

/** The pieces of `write`, for a domain that commits many requests in one transaction of its own. */
export interface Keeping {
  /** Null when the caller sent no Idempotency-Key. */
  readonly key: string | null;
  /** SHA-256 over method, path and raw body. */
  readonly requestHash: Buffer;
  /** Makes the body before COMMIT, so that it can be kept. */
  present(reply: Reply<unknown>): PresentedReply;
  /** What follows the COMMIT of a write, before the reply is sent. */
  committed(): Promise<void>;
}

/** Like `read`, together with everybody who asks the same question in the caller's environment at this moment. */
export type Ask = <Found>(question: Question<Found>, key: string) => Promise<Found | undefined>;

type Of<S> = S extends TSchema ? Static<S> : undefined;

interface Description<P, Q, B, D extends TSchema> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As OpenAPI writes it: /transfers/{id}. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /**
   * The schema describes the body and the handler checks it, where rules that need the database must be told together
   * with what the schema finds.
   */
  readonly bodyCheckedByHandler?: true;
  /** A GET that is never read from a replica: what is paid next may be decided by it, or it is about the primary itself. */
  readonly readsPrimary?: true;
  /** A POST that keeps no reply under an Idempotency-Key: it only asks, or its body must leave no trace. */
  readonly keepsNothing?: true;
  /**
   * Rules that need no I/O, for a request whose body (or query, without a body) the schema has refused: what they say
   * is told along with it. Fields may be missing or of any type. A request that fits its schema meets the same rules in
   * the handler, where they have codes of their own.
   */
  readonly rules?: (fields: Readonly<Record<string, unknown>>, kind: EnvironmentKind) => readonly FieldError[];
  readonly reply: ReplyDescription<D>;
  /** Codes of the refusals that this endpoint can give beyond those of its guard and schema. */
  readonly problems?: readonly string[];
  readonly bodyLimitBytes?: number;
  /** A write that a person may do without a fresh proof of being it: it only asks, repeats, or says no. */
  readonly withoutProof?: true;
  /** Requests are counted in a bucket of this name instead of the key's common one. */
  readonly rateBucket?: string;
}

/** Of what integrators and operators call, which is in the OpenAPI documents. */
interface Documented {
  readonly tag: string;
  /** What a function that sends this request would be called: createTransfer. No two operations share one. */
  readonly operationId: string;
}

interface Scoped {
  /** Such as transfers:write. */
  readonly scope: `${string}:${"read" | "write"}`;
}

interface FromCaller<Who extends Caller> {
  readonly caller: Who;
  readonly ask: Ask;
  /** What group commit needs of this request; throws `validation_failed` for a bad Idempotency-Key. */
  keeping(): Keeping;
}

/** Who can call an endpoint: what its description has for this guard alone, and what its handler is given. */
interface Guards {
  /** A merchant's secret key, or a person of the merchant at the console. */
  readonly key: {
    /** `sandboxOnly`: a live key gets 403 sandbox_only. */
    readonly description: Documented & Scoped & { readonly sandboxOnly?: boolean };
    readonly request: FromCaller<Caller>;
  };
  /** The operator's token. `read` and `write` start in the operator's scope (the nil environment). */
  readonly operator: {
    readonly description: Documented;
    readonly request: { readonly operator: { readonly name: string } };
  };
  /** The token of a hosted page, whose Idempotency-Keys are apart from those of other pages and of the merchant. */
  readonly page: {
    /** `readFromAnySite`: a GET whose reply any site may read, with the token. `other-origins.ts` says why that is safe. */
    readonly description: { readonly page: PageKind; readonly readFromAnySite?: true };
    readonly request: { readonly page: Page };
  };
  /** A person of the merchant in an environment: a key gets 404. */
  readonly member: { readonly description: Scoped; readonly request: FromCaller<Member> };
  /**
   * A person at the console. `read` and `write` start in the operator's scope, because people are its data;
   * Idempotency-Keys are the person's own.
   */
  readonly person: { readonly description: unknown; readonly request: { readonly person: Person } };
  /** Somebody who is about to sign in. */
  readonly visitor: { readonly description: unknown; readonly request: unknown };
}

type Guard = keyof Guards;

export type RouteRequest<G extends Guard, Params = unknown, Query = unknown, Body = unknown> = Guards[G]["request"] &
  BaseRequest<Params, Query, Body>;

type RouteDescription<G extends Guard, D extends TSchema, P, Q, B> = Guards[G]["description"] &
  Description<P, Q, B, D> & {
    handle(request: RouteRequest<G, Of<P>, Of<Q>, Of<B>>): Promise<Reply<Static<D>> | Written<Static<D>> | Streamed>;
  };

type AnySchema = TSchema | undefined;

/** A described endpoint with its types forgotten, ready to be registered. */
export type Route = {
  [G in Guard]: RouteDescription<G, TSchema, AnySchema, AnySchema, AnySchema> & { readonly guard: G };
}[Guard];

/** What integrators and operators call. */
export function isDocumented(route: Route): route is Extract<Route, Documented> {
  return route.guard === "key" || route.guard === "operator";
}

/**
 * The cast forgets the types of the schemas. It is safe, because a handler is called only with what has passed the
 * schemas that stand beside it, and only by the guard that is named here.
 */
export function describeRoute<
  G extends Guard,
  D extends TSchema,
  P extends AnySchema = undefined,
  Q extends AnySchema = undefined,
  B extends AnySchema = undefined,
>(guard: G, description: RouteDescription<G, D, P, Q, B>): Route {
  return { guard, ...description } as unknown as Route;
}

/** What a success of an endpoint looks like. */
interface ReplyDescription<D extends TSchema> {
  readonly status: 200 | 201 | 202;
  readonly message: string;
  /** The loans family's title. */
  readonly title?: string;
  readonly data: D;
  /** Further statuses of a success, each with what it means: 200 for a reference that was used before. */
  readonly also?: Readonly<Partial<Record<200 | 202, string>>>;
  /** Headers of this endpoint's own, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The reply is a page: `pagination` or, under /loans, `meta` accompanies the data. */
  readonly paged?: boolean;
  /** What seldom changes carries an ETag, and a caller who has it already gets 304. */
  readonly cached?: boolean;
  /** Further media types that a GET can answer in, each with an example; Accept decides. */
  readonly alsoAs?: Readonly<Record<string, string>>;
}

/**
 * A reply in another media type, for what is too long to be held as a whole. Each chunk is asked for when the caller
 * has taken the one before.
 */
export interface Streamed {
  readonly mediaType: string;
  readonly chunks: AsyncIterable<string>;
  /** A caller who has not taken a chunk for so long is cut off. */
  readonly stallMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
