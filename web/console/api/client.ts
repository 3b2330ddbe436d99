/**
 * How the console speaks to the server: the public API, reached under /console/api with the session's cookie in place
 * of a key. The header tells the server that this page asked and no other site; a key per write makes a retry harmless.
 */
import { ApiProblem, type ApiRequest, callApi, callForReply } from "../../shared/call-api.ts";
import { askForProof, type ProofWay } from "./proof.ts";

export type Params = Readonly<Record<string, string | number | undefined>>;

/** The API of one environment, or what is about people. */
export interface Door {
  /** Below which all paths of the API lie. */
  readonly prefix: string;
}

export const environmentDoor = (id: string): Door => ({ prefix: `/console/api/environments/${id}` });
export const operatorDoor: Door = { prefix: "/console/api/operator" };
/** What is about people: the session, the team. */
export const peopleDoor: Door = { prefix: "/console/api" };

export function addressOf(path: string, params: Params = {}): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

export function read<Data>(door: Door, path: string, params: Params = {}): Promise<Data> {
  return callApi<Data>(door.prefix + addressOf(path, params), asConsole());
}

export interface Write {
  readonly method?: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /** The same key and body again give the first reply again. */
  readonly key?: string;
  /** An earlier payment that the person was shown and wants to make again. */
  readonly payAgain?: string | undefined;
}

export async function write<Data>(door: Door, path: string, request: Write = {}): Promise<Data> {
  const reply = await writeForReply(door, path, request);
  return reply["data"] as Data;
}

/** The whole reply: those of sign-in have shapes of their own. */
export async function writeForReply(door: Door, path: string, { method = "POST", body, key, payAgain }: Write = {}) {
  const idempotency = method === "POST" ? { "idempotency-key": key ?? crypto.randomUUID() } : {};
  const again = payAgain === undefined ? {} : { "x-jara-pay-again": payAgain };
  const request = { ...asConsole({ ...idempotency, ...again }), method, ...(body === undefined ? {} : { body }) };
  const send = () => callForReply(door.prefix + path, request);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "proof_needed") throw error;
    const ways = (error.refusal.data["ways"] ?? []) as readonly ProofWay[];
    if (!(await askForProof(ways))) throw error;
    // Refused before anything was done: the same key makes it the same request.
    return send();
  }
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly nextPage: number | null;
  /** Null where the API does not count. */
  readonly total: number | null;
}

export async function readPage<Row>(door: Door, path: string, params: Params): Promise<ListPage<Row>> {
  return pageOf(await callForReply(door.prefix + addressOf(path, params), asConsole()));
}

/** Lists tell their pages in two ways: `pagination`, and `meta` in the loans API. Some fit on one page and tell nothing. */
export function pageOf<Row>(reply: Readonly<Record<string, unknown>>): ListPage<Row> {
  const rows = (Array.isArray(reply["data"]) ? reply["data"] : []) as Row[];
  const pagination = reply["pagination"] as
    | { currentPage: number; totalItems: number; hasNextPage: boolean }
    | undefined;
  if (pagination !== undefined) {
    const { currentPage, totalItems, hasNextPage } = pagination;
    return { rows, nextPage: hasNextPage ? currentPage + 1 : null, total: totalItems };
  }
  const meta = reply["meta"] as { next_page: number | null } | undefined;
  const total = meta === undefined ? rows.length : null;
  return { rows, nextPage: meta?.next_page ?? null, total };
}

function asConsole(headers: Readonly<Record<string, string>> = {}): ApiRequest {
  return { cookies: true, headers: { "x-jara-console": "1", ...headers } };
}
