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
import { forward, type Refusals, type WireEvent } from "./forward.ts";
import { type Cursor, type Listener, readCursor, readSecret, register, writeCursor } from "./place.ts";

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly fromStart?: boolean;
}

interface Listening {
  readonly connection: Connection;
  readonly listener: Listener;
  readonly screen: Screen;
  readonly stopped: AbortSignal;
  readonly secret: string;
  readonly url: string | undefined;
  readonly wanted: ReadonlySet<string> | null;
  readonly refusals: Refusals;
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
  const wanted = options.events === undefined ? null : new Set(options.events.split(",").map((name) => name.trim()));
  if (wanted !== null) await remarkOnNames(screen, wanted);
  const connection = given.connect();
  const listener = { ...connection, url, events: wanted === null ? undefined : [...wanted].sort().join(",") };
  const secret = await readSecret(listener);
  const refusals = refusalsOf(screen, url);
  const listening: Listening = { connection, listener, screen, stopped, secret, url, wanted, refusals };
  const begin = await beginning(listening, options.fromStart === true);
  await writeCursor(listener, begin);
  const { other, leave } = await register(listener);
  if (other !== undefined) screen.remark(`Process ${other} listens for the same: each event comes from both.`);
  screen.remark(`Listening to ${connection.baseUrl}. Ctrl-C ends it; the next run goes on from here.`);
  if (url !== undefined) screen.remark(`Forwarding to ${url}, signed with ${secret}`);
  await follow(listening, begin).finally(leave);
}

function refusalsOf(screen: Screen, url: string | undefined): Refusals {
  return {
    inARow: 0,
    pausing: (status) =>
      screen.remark(
        `${url} refused ten times in a row, the last time with ${status}. Paused until it takes this event.`,
      ),
    goingOn: () => screen.remark(`${url} takes events again. Going on.`),
  };
}

/** Where the last run for the same address ended; the first one begins now. */
async function beginning(listening: Listening, fromStart: boolean): Promise<Cursor> {
  if (fromStart) return null;
  const last = readCursor(listening.listener);
  return last === undefined ? (await readFeed(listening, "latest", 0)).cursor : last;
}

/** A server may know events that this command does not, so a name that is not known is no error. */
async function remarkOnNames(screen: Screen, wanted: ReadonlySet<string>): Promise<void> {
  const { closeTo, eventNames } = await import("../trigger/event-names.ts");
  for (const name of wanted) {
    if (eventNames.includes(name)) continue;
    const [close] = closeTo(name);
    screen.remark(`${name} is not an event that is known here.${close === undefined ? "" : ` Did you mean ${close}?`}`);
  }
}

/** People write localhost:3000/hooks. */
function addressOf(text: string): string {
  const whole = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new CliError(exitCodes.usage, `"${text}" is not an address. Write it whole: http://localhost:3000/hooks`);
}

function readFeed({ connection, stopped }: Listening, after: Cursor, wait: number): Promise<FeedReply> {
  const query = { include: "resends", wait, ...(after === null ? {} : { after }) };
  return connection.jara.request<FeedReply>("GET /events/feed", { query, wire: true, signal: stopped, maxRetries: 0 });
}

async function follow(listening: Listening, from: Cursor): Promise<void> {
  const { listener, screen } = listening;
  let cursor = from;
  await stayConnected(listening, {
    read: () => readFeed(listening, cursor, waitSeconds),
    take: async (feed) => {
      if (!(await takeAll(listening, feed))) return false;
      if (feed.cursor !== cursor) {
        cursor = feed.cursor;
        await writeCursor(listener, cursor);
      }
      return true;
    },
    mend: (error) => {
      const online = onlineAfter(error);
      if (online !== undefined) {
        screen.remark("What came next is in the archive (jara archive read). Going on with what is online.");
        cursor = online;
        return true;
      }
      if (!isReset(error)) return false;
      screen.remark("The sandbox was emptied. Going on with what is new.");
      cursor = null;
      return true;
    },
  });
}

/** Where what is online begins, when what comes next is not online any more. */
function onlineAfter(error: unknown): string | undefined {
  if (!(error instanceof JaraApiError) || error.code !== "feed_cursor_archived") return undefined;
  return (error.data as { readonly cursor: string }).cursor;
}

/** The log started again, so the place in it means nothing any more. */
function isReset(error: unknown): boolean {
  return error instanceof JaraApiError && error.code === "feed_cursor_unknown";
}

/** False when it was stopped before the application had taken all of them. */
async function takeAll(listening: Listening, { events, places }: FeedReply): Promise<boolean> {
  const { wanted, listener } = listening;
  for (const [index, event] of events.entries()) {
    if (wanted !== null && !wanted.has(event.event)) continue;
    const place = places[index];
    if (!(await take(listening, event, place?.resentAt != null))) return false;
    if (place !== undefined) await writeCursor(listener, place.cursor);
  }
  return true;
}

async function take(
  { screen, url, secret, stopped, refusals }: Listening,
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
  const { status, tookMs } = await forward(event, { url, secret, stopped, away, refusals });
  if (status === null) return false;
  const isTaken = status < 300;
  const outcome = isTaken ? colors.green(String(status)) : colors.red(String(status));
  if (!screen.isJson) screen.line(`${head}  ${outcome}  ${colors.dim(`${tookMs} ms  ${event.id}`)}`);
  if (!isTaken) screen.remark(`Refused three times. Once it is fixed: jara events resend ${event.id}`);
  return true;
}
