/** What your keys asked of the API, as it happens, and one of them whole. */
import { JaraApiError, type LoggedRequest, type Trace } from "@jara/sdk";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { cut, plain, type Screen } from "../screen.ts";
import { stayConnected } from "../stay-connected.ts";
import { moment, timeOfDay } from "../words.ts";

export interface Filters {
  readonly status?: string;
  readonly method?: string;
  readonly path?: string;
}

const waitSeconds = 5;

export async function tailLogs(given: Given, { path, ...others }: Filters): Promise<void> {
  const filters = path === undefined ? others : { ...others, path: path.startsWith("/") ? path : `/${path}` };
  const { screen, stopped } = given;
  const { jara, baseUrl } = given.connect();
  const read = (after: string, wait: number) =>
    jara.requests.readFeed({ after, wait }, { signal: stopped, maxRetries: 0 });
  let { cursor } = await read("latest", 0);
  screen.remark(`Requests to ${baseUrl} as they happen. Ctrl-C ends it; jara logs show <id> shows one whole.`);
  await stayConnected(given, {
    read: () => read(cursor, waitSeconds),
    take: async (feed) => {
      for (const request of feed.requests.filter((one) => isWanted(one, filters))) printLine(screen, request);
      cursor = feed.cursor;
      return true;
    },
  });
}

export function isWanted({ status, method, path }: LoggedRequest, filters: Filters): boolean {
  const kind = filters.status?.endsWith("xx") ? `${String(status)[0]}xx` : String(status);
  return (
    (filters.status === undefined || filters.status === kind) &&
    (filters.method === undefined || filters.method === method) &&
    (filters.path === undefined ? !isOwnQuestion(path) : path.startsWith(filters.path))
  );
}

/** What `jara listen` asks every few seconds tells nobody anything; --path /events/feed shows it. */
function isOwnQuestion(path: string): boolean {
  return path === "/events/feed" || path.startsWith("/events/feed?");
}

function printLine(screen: Screen, request: LoggedRequest): void {
  const lines = screen.isJson ? [JSON.stringify(request)] : linesOf(screen, request);
  for (const line of lines) screen.line(line);
}

/** A path that has less room than this says nothing. */
const shortestPath = 20;

/**
 * On a terminal the path gives way, so that the other columns stay one below the other. A narrow one gets several
 * lines: an id that is cut is of no use.
 */
export function linesOf(screen: Screen, request: LoggedRequest): string[] {
  const { colors, width } = screen;
  const { at, id, method, path, durationMs } = request;
  const head = `${timeOfDay(at)}  ${statusOf(screen, request)}  ${method.padEnd(6)}`;
  const code = request.code === null ? [] : [colors.yellow(request.code)];
  const tail = [...code, colors.dim(`${String(durationMs).padStart(5)} ms  ${id}`)].join("  ");
  const room = width - plain(`${head}    ${tail}`).length;
  if (room >= shortestPath) {
    const shown = Number.isFinite(room) ? cut(path, room).padEnd(room) : path;
    return [`${head}  ${shown}  ${tail}`];
  }
  const lines = [`${head} ${path}`, ...code.map((one) => `  ${one}`), `  ${id}  ${colors.dim(`${durationMs} ms`)}`];
  return lines.map((line) => cut(line, width));
}

function statusOf({ colors }: Screen, { status }: LoggedRequest): string {
  if (status < 400) return colors.green(String(status));
  return status < 500 ? colors.yellow(String(status)) : colors.red(String(status));
}

export async function showRequest({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const connection = connect();
  const request = await connection.jara.requests.get(id);
  const records = request.recordId === null ? [] : await recordsOf(connection, request.id);
  if (screen.isJson) return screen.line(JSON.stringify({ ...request, records }, null, 2));
  const { method, path, code, durationMs, replayed } = request;
  screen.record(request, [
    ["request", `${screen.colors.bold(method)} ${path}`],
    ["status", `${statusOf(screen, request)}${replayed ? ", the reply of an earlier request again" : ""}`],
    ["code", code ?? ""],
    ["help", code === null ? "" : `${connection.baseUrl}/docs/errors#${code}`],
    ["time", `${moment(request.at)}, ${durationMs} ms`],
    ["id", request.id],
    ["key", request.keyPrefix ?? ""],
    ["idempotency key", request.idempotencyKey ?? ""],
    ["user agent", request.userAgent ?? ""],
    ["warning", request.warning ?? ""],
  ]);
  printBody(screen, "Sent", request.requestBody);
  printBody(screen, "Returned", request.responseBody);
  if (records.length === 0) return;
  screen.line("");
  const rows = records.map(({ kind, id: record }) => [kind, record]);
  screen.records(records, { head: ["RECORD", "ID"], rows }, "");
  screen.line(screen.colors.dim(`jara trace ${request.id} tells what became of it.`));
}

/** A body that was cut is no JSON any more, and shown as far as it goes. */
function printBody(screen: Screen, title: string, body: string | null): void {
  if (body === null) return;
  screen.line(`\n${screen.colors.dim(title)}`);
  try {
    screen.line(JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    screen.line(`${body}…`);
  }
}

interface MadeRecord {
  readonly kind: string;
  readonly id: string;
}

/** What the request made, and what came of that. A key may read requests and no traces. */
async function recordsOf({ jara }: Connection, requestId: string): Promise<MadeRecord[]> {
  try {
    return recordsIn(await jara.traces.get(requestId));
  } catch (error) {
    if (error instanceof JaraApiError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/** Requests are not records, and `record` is another name of one that is there. */
export function recordsIn({ steps }: Pick<Trace, "steps">): MadeRecord[] {
  const found = new Map<string, string>();
  for (const { ids } of steps) {
    for (const [kind, id] of Object.entries(ids)) if (kind !== "request" && kind !== "record") found.set(id, kind);
  }
  return [...found].map(([id, kind]) => ({ kind, id }));
}
