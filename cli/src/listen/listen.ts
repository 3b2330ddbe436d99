/**
 * Prints events as they happen and forwards them, and again whenever somebody has one sent again. It reads the feed, so
 * it needs no public address. Its place is written down after the application has taken an event: after a kill the last
 * one may come again, and none is lost.
 */
import { JaraApiError } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { referenceOf } from "../commands/events.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { stayConnected } from "../stay-connected.ts";
import { moment } from "../words.ts";
import { forward, type WireEvent } from "./forward.ts";
import { type Place, readPlace, writePlace } from "./place.ts";

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
  /** One for each event. */
  readonly places: readonly FeedPlace[];
  readonly cursor: string;
}

interface FeedPlace {
  /** After this event. */
  readonly cursor: string;
  /** Null where the event comes for the first time. */
  readonly resentAt: string | null;
}

const waitSeconds = 5;

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
  const query = { include: "resends", wait, ...(after === undefined ? {} : { after }) };
  return connection.jara.request<FeedReply>("GET /events/feed", { query, wire: true, signal: stopped, maxRetries: 0 });
}

async function follow(listening: Listening, from: Place): Promise<void> {
  const { connection, screen } = listening;
  let place = from;
  await stayConnected(listening, {
    read: () => readFeed(listening, place.cursor, waitSeconds),
    take: async (feed) => {
      if (!(await takeAll(listening, feed))) return false;
      if (feed.cursor !== place.cursor) {
        place = { secret: place.secret, cursor: feed.cursor };
        await writePlace(connection, place);
      }
      return true;
    },
    mend: (error) => {
      if (!isReset(error)) return false;
      screen.remark("The sandbox was emptied. Going on with what is new.");
      place = { secret: place.secret };
      return true;
    },
  });
}

/** The log started again, so the place in it means nothing any more. */
function isReset(error: unknown): boolean {
  return error instanceof JaraApiError && error.code === "feed_cursor_unknown";
}

/** False when it was stopped before the application had taken all of them. */
async function takeAll(listening: Listening, { events, places }: FeedReply): Promise<boolean> {
  const { wanted, connection, secret } = listening;
  for (const [index, event] of events.entries()) {
    if (wanted !== null && !wanted.has(event.event)) continue;
    const place = places[index];
    if (!(await take(listening, event, place?.resentAt != null))) return false;
    await writePlace(connection, { secret, cursor: place?.cursor });
  }
  return true;
}

async function take(
  { screen, url, secret, stopped }: Listening,
  event: WireEvent,
  isResend: boolean,
): Promise<boolean> {
  const { colors } = screen;
  if (screen.isJson) screen.line(JSON.stringify(event));
  const time = moment(String(event["created_at"]));
  const words = [time, colors.bold(event.event), referenceOf({ data: event["data"] })];
  const head = (isResend ? [...words, "sent again"] : words).join("  ");
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
