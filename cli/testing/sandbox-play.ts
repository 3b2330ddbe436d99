/** A play in a sandbox that is not there: each call returns what a test says, and is kept as it was sent. */
import { Jara } from "@jara/sdk";
import { createPlay, type Playing } from "../src/flows/playing.ts";
import { refusal } from "./in-process.ts";

export interface Sent {
  /** Method and path with its query. */
  readonly line: string;
  readonly body: unknown;
}

type Reply = (sent: Sent) => unknown;

/** By method and how the path begins; of several the longest is meant. Each returns data, or a whole reply. */
export type Replies = Readonly<Record<string, Reply>>;

export const startOfPlay = "2026-11-01T08:00:00.000Z";
const day = 86_400_000;

/** A clock that really moves, so that a flow that waits for a day gets there. */
function clockReplies(mode: "running" | "frozen"): Replies {
  let now = Date.parse(startOfPlay);
  const clock = () => ({ now: new Date(now).toISOString(), mode, nextDueAt: null, seed: null });
  return {
    "GET /sandbox/clock": clock,
    "POST /sandbox/clock/advance": ({ body }) => {
      const { days = 0, seconds = 0, to } = body as { days?: number; seconds?: number; to?: string };
      const from = clock().now;
      now = to === undefined ? now + days * day + seconds * 1_000 : Date.parse(to);
      return { from, to: clock().now, ran: 0, nextDueAt: null };
    },
  };
}

interface Sandbox {
  readonly playing: Playing;
  readonly sent: readonly Sent[];
  /** The lines that were sent, without those of the clock. */
  lines(): string[];
  /** By how much the clock was moved, in order. */
  moves(): unknown[];
  moved(): { readonly from: string; readonly to: string } | undefined;
  tidy(): Promise<void>;
}

export async function openSandbox(
  replies: Replies,
  { mode = "running", mark = "m" }: { readonly mode?: "running" | "frozen"; readonly mark?: string } = {},
): Promise<Sandbox> {
  const sent: Sent[] = [];
  const baseUrl = "http://jara.test";
  const all: Replies = { ...clockReplies(mode), ...replies };
  const fetch = async (url: string, { method, body }: { readonly method: string; readonly body?: string }) => {
    const asked = {
      line: `${method} ${url.slice(baseUrl.length)}`,
      body: body === undefined ? undefined : JSON.parse(body),
    };
    sent.push(asked);
    const names = Object.keys(all).filter((name) => asked.line.startsWith(name));
    const [name = ""] = names.sort((one, other) => other.length - one.length);
    const reply = name === "" ? refusal(404, "not_found", `Nothing is at ${asked.line}.`) : await all[name]?.(asked);
    return reply instanceof Response ? reply : Response.json({ status: true, data: reply });
  };
  const jara = new Jara({ secretKey: "sk_test_1", baseUrl, fetch, maxRetries: 0 });
  const stopped = new AbortController().signal;
  const { playing, moved, tidy } = await createPlay({ jara, baseUrl }, { mark, stopped });
  const isClock = ({ line }: Sent) => line.includes("/sandbox/clock");
  return {
    playing,
    sent,
    lines: () => sent.filter((one) => !isClock(one)).map(({ line }) => line),
    moves: () => sent.filter(({ line }) => line === "POST /sandbox/clock/advance").map(({ body }) => body),
    moved,
    tidy,
  };
}

/** A list of a single page. */
export function wholeList(rows: readonly unknown[]): Response {
  const pagination = { currentPage: 1, itemsPerPage: 100, totalItems: rows.length, totalPages: 1, hasNextPage: false };
  return Response.json({ status: true, data: rows, pagination });
}
