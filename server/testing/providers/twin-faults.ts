/** What can go wrong between us and a provider, and when it does: the next calls in order, or a share of all of them. */
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { sendReply, type TwinReply, type TwinRequest } from "./twin-wire.ts";

interface Struck {
  readonly request: TwinRequest;
  readonly response: ServerResponse;
  /** Does the work of the call, in the twin's books, and returns what the provider would reply. */
  handle(): Promise<TwinReply>;
}

export interface Fault {
  readonly name: string;
  strike(struck: Struck): Promise<void>;
}

const page = (title: string) => `<html><head><title>${title}</title></head><body>${title}</body></html>`;

const reply = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): TwinReply => ({
  status,
  body,
  headers,
});

/** Nothing is done; another machine in the middle replies. */
const instead =
  (answer: TwinReply): Fault["strike"] =>
  async ({ response }) =>
    sendReply(response, answer);

/** The work is done, and something else is replied. */
const after =
  (answer: TwinReply): Fault["strike"] =>
  async ({ response, handle }) => {
    await handle();
    sendReply(response, answer);
  };

const strikes = {
  /** The request does not arrive: the connection breaks before anything is done. */
  lost_request: async ({ response }) => {
    response.destroy();
  },
  /** The work is done and no reply arrives. */
  lost_reply: async ({ response, handle }) => {
    await handle();
    response.destroy();
  },
  /** The work is done and the reply breaks off in the middle. */
  cut_reply: async ({ response, handle }) => {
    const { status, body } = await handle();
    const content = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { "content-type": "application/json", "content-length": content.length });
    response.write(content.subarray(0, Math.floor(content.length / 2)), () => response.destroy());
  },
  /** The work is done and the reply ends in the middle as if it were whole. */
  cut_json: async ({ response, handle }) => {
    const { status, body } = await handle();
    const content = JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json" }).end(content.slice(0, content.length / 2));
  },
  /** The network delivers the request twice; the second reply arrives. */
  delivered_twice: async ({ response, handle }) => {
    await handle();
    sendReply(response, await handle());
  },
  /** The reply comes late, but it comes. */
  late: async ({ response, handle }) => {
    const answer = await handle();
    await pause(40);
    sendReply(response, answer);
  },
  empty: after(reply(200, "")),
  page_after: after(reply(200, page("Welcome"))),
  error_after: after(reply(500, { status: false, message: "An error occurred" })),
  bad_gateway_after: after(reply(502, page("502 Bad Gateway"))),
  gateway_timeout_after: after(reply(504, page("504 Gateway Time-out"))),
  unavailable: instead(reply(503, page("503 Service Temporarily Unavailable"))),
  not_found_page: instead(reply(404, page("404 Not Found"))),
  too_many: instead(reply(429, { status: false, message: "Too many requests" }, { "retry-after": "30" })),
} as const satisfies Readonly<Record<string, Fault["strike"]>>;

export type FaultName = keyof typeof strikes;
export const faultNames = Object.keys(strikes) as readonly FaultName[];

/** A fault of the provider's own: the work is done and its reply is changed. */
export function changedReply(name: string, change: (answer: TwinReply) => TwinReply): Fault {
  return { name, strike: async ({ response, handle }) => sendReply(response, change(await handle())) };
}

/** A fault of the provider's own: it replies this and does nothing. */
export function refusal(name: string, answer: TwinReply): Fault {
  return { name, strike: instead(answer) };
}

/** `null` stands for a call that goes well. */
export type Plan =
  | readonly (FaultName | Fault | null)[]
  | {
      /** From 0 to 1, of all calls. */
      readonly share: number;
      /** The same seed and the same calls give the same faults. */
      readonly seed: number;
      readonly faults: readonly (FaultName | Fault)[];
    };

export interface Faults {
  /** Takes the place of the plan before it. `on` is a route; without one the plan is for every call. */
  misbehave(plan: Plan, on?: string): void;
  behave(): void;
  draw(route: string): Fault | undefined;
}

export function createFaults(): Faults {
  const plans = new Map<string, () => Fault | undefined>();
  const every = "";
  return {
    misbehave: (plan, on = every) => {
      plans.set(on, "share" in plan ? byShare(plan) : inOrder(plan));
    },
    behave: () => plans.clear(),
    draw: (route) => (plans.get(route) ?? plans.get(every))?.(),
  };
}

function faultOf(fault: FaultName | Fault): Fault {
  return typeof fault === "string" ? { name: fault, strike: strikes[fault] } : fault;
}

function inOrder(plan: readonly (FaultName | Fault | null)[]): () => Fault | undefined {
  const left = [...plan];
  return () => {
    const next = left.shift();
    return next === null || next === undefined ? undefined : faultOf(next);
  };
}

function byShare({ share, seed, faults }: Exclude<Plan, readonly unknown[]>): () => Fault | undefined {
  const random = seededRandom(seed);
  return () => {
    if (random() >= share) return undefined;
    const drawn = faults[Math.floor(random() * faults.length)];
    return drawn === undefined ? undefined : faultOf(drawn);
  };
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
