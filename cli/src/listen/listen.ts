/**
 * Prints events as they happen and forwards them. It reads the feed, so it needs no public address. Its place is
 * written down after the application has taken an event: after a kill the last one may come again, and none is lost.
 */
import { setTimeout as pause } from "node:timers/promises";
import { JaraApiError, JaraConnectionError } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { referenceOf } from "../commands/events.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { moment } from "../words.ts";
import { forward, type WireEvent } from "./forward.ts";
import { forgetResend, listResends, type Place, readPlace, writePlace } from "./place.ts";

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly fromStart?: boolean;
}

interface Listening {
  readonly connection: Connection;
  readonly screen: Screen;
  readonly stopped: AbortSignal;
  readonly secret: string;
  readonly url: string | undefined;
  readonly wanted: ReadonlySet<string> | null;
}

interface FeedReply {
  readonly events: readonly WireEvent[];
  readonly cursor: string;
}

const waitSeconds = 5;
const reconnectMs = 1_000;

export async function listen(given: Given, options: ListenOptions): Promise<void> {
  const { screen, stopped } = given;
  const url = options.forwardTo === undefined ? undefined : addressOf(options.forwardTo);
  const connection = given.connect();
  const { secret, ...last } = await readPlace(connection);
  const wanted = options.events === undefined ? null : new Set(options.events.split(",").map((name) => name.trim()));
  const listening: Listening = { connection, screen, stopped, secret, url, wanted };
  const begin = await beginning(listening, last, options.fromStart === true);
  await writePlace(connection, begin);
  screen.remark(`Listening to ${connection.baseUrl}. Ctrl-C ends it; the next run goes on from here.`);
  if (url !== undefined) screen.remark(`Forwarding to ${url}, signed with ${secret}`);
  await follow(listening, begin);
}

/** Where the last run ended; the first one begins now. */
async function beginning(listening: Listening, last: Omit<Place, "secret">, fromStart: boolean): Promise<Place> {
  const { secret } = listening;
  if (fromStart) return { secret };
  return last.cursor === undefined
    ? { secret, cursor: (await readFeed(listening, "latest", 0)).cursor }
    : { secret, ...last };
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new CliError(exitCodes.usage, `"${text}" is no address. Write it whole: http://localhost:3000/hooks`);
}

function readFeed({ connection, stopped }: Listening, after: string | undefined, wait: number): Promise<FeedReply> {
  const query = { wait, ...(after === undefined ? {} : { after }) };
  return connection.jara.request<FeedReply>("GET /events/feed", { query, wire: true, signal: stopped, maxRetries: 0 });
}

async function follow(listening: Listening, from: Place): Promise<void> {
  const { connection, screen, stopped } = listening;
  let place = from;
  let isAway = false;
  while (!stopped.aborted) {
    await sendAgain(listening);
    try {
      const feed = await readFeed(listening, place.cursor, waitSeconds);
      if (isAway) screen.remark("The server is back.");
      isAway = false;
      if (!(await takeAll(listening, place, feed.events))) return;
      if (feed.cursor !== place.cursor) {
        place = { secret: place.secret, cursor: feed.cursor };
        await writePlace(connection, place);
      }
    } catch (error) {
      if (stopped.aborted) return;
      if (isReset(error)) {
        screen.remark("The sandbox was emptied. Going on with what is new.");
        place = { secret: place.secret };
        continue;
      }
      if (!isPassing(error)) throw error;
      if (!isAway) screen.remark("The server is away. Waiting for it; nothing is lost.");
      isAway = true;
      await pause(reconnectMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
}

/** The log started again, so the place in it means nothing any more. */
function isReset(error: unknown): boolean {
  return error instanceof JaraApiError && error.code === "feed_cursor_unknown";
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof JaraConnectionError ||
    (error instanceof JaraApiError && (error.status >= 500 || error.status === 429))
  );
}

/** False when it was stopped before the application had taken all of them. */
async function takeAll(listening: Listening, place: Place, events: readonly WireEvent[]): Promise<boolean> {
  const { wanted, connection } = listening;
  const already = events.findIndex(({ id }) => id === place.taken) + 1;
  for (const event of events.slice(already)) {
    if (wanted !== null && !wanted.has(event.event)) continue;
    if (!(await take(listening, event))) return false;
    await writePlace(connection, { ...place, taken: event.id });
  }
  return true;
}

async function sendAgain(listening: Listening): Promise<void> {
  const { connection, stopped } = listening;
  for (const id of await listResends(connection)) {
    const event = await connection.jara
      .request<WireEvent>("GET /events/{id}", { path: { id }, wire: true, signal: stopped })
      .catch(() => undefined);
    if (event !== undefined && !(await take(listening, event))) return;
    await forgetResend(connection, id);
  }
}

async function take({ screen, url, secret, stopped }: Listening, event: WireEvent): Promise<boolean> {
  const { colors } = screen;
  if (screen.isJson) screen.line(JSON.stringify(event));
  const time = moment(String(event["created_at"]));
  const head = `${time}  ${colors.bold(event.event)}  ${referenceOf({ data: event["data"] })}`;
  if (url === undefined) {
    if (!screen.isJson) screen.line(`${head}  ${colors.dim(event.id)}`);
    return true;
  }
  const away = (why: string): void => screen.remark(`${url} is away: ${why}. ${event.event} waits for it.`);
  const { status, tookMs } = await forward(event, { url, secret, stopped, away });
  if (status === null) return false;
  const isTaken = status < 300;
  const outcome = isTaken ? colors.green(String(status)) : colors.red(String(status));
  if (!screen.isJson) screen.line(`${head}  ${outcome}  ${colors.dim(`${tookMs} ms  ${event.id}`)}`);
  if (!isTaken) screen.remark(`Refused three times. When it is mended: jara events resend ${event.id}`);
  return true;
}
