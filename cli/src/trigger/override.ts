/**
 * Fields to override in a triggered flow: `amount=5000`, or `items.0.amount=5000` for a nested field. The override goes
 * into the request that creates the record of the event, and into no other: funding requests stay as they are.
 */
import type { Jara } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";

export interface Override {
  readonly path: readonly string[];
  readonly value: string;
}

/** By the beginning of an event's name, the longest first: which request makes its record. */
const making: readonly (readonly [event: string, request: RegExp])[] = [
  ["transfer.batch.", /\/transfers\/bulk$/],
  ["transfer.", /\/transfers$/],
  ["bill.", /\/bills\/airtime\/vend$/],
  ["loan.", /\/loans\/create$/],
  ["bnpl.loan.", /\/loans\/bnpl\/customers\/[^/]+\/loans$/],
  ["checkout.session.", /\/loans\/bnpl\/checkout-sessions$/],
  ["customer.", /\/loans\/bnpl\/customers$/],
  ["wallet.credited", /\/sandbox\/wallets\/fund$/],
];

export function overrideOf(text: string): Override {
  const [, path, value] = /^([^=\s]+)=([\s\S]*)$/.exec(text) ?? [];
  const steps = path?.split(".") ?? [];
  if (path === undefined || value === undefined || steps.some((step) => !/^\w+$/.test(step) || step === "__proto__")) {
    throw new CliError(
      exitCodes.usage,
      `"${text}" is not an override. Write --override amount=5000, or a.b=c further in.`,
    );
  }
  return { path: steps, value };
}

type Fetch = NonNullable<ConstructorParameters<typeof Jara>[0]["fetch"]>;

export interface Overriding {
  readonly fetch: Fetch;
  /** Throws when no request has taken them: then the event is not the one that was asked for. */
  check(): void;
}

export function overriding(event: string, overrides: readonly Override[]): Overriding {
  const request = making.find(([start]) => event.startsWith(start))?.[1];
  if (request === undefined) {
    throw new CliError(exitCodes.usage, `${event} is about no request of yours, so there is nothing to override.`);
  }
  let wasMade = false;
  return {
    fetch: (url, init) => {
      if (init.method !== "POST" || !request.test(new URL(url).pathname)) return fetch(url, init as RequestInit);
      wasMade = true;
      return fetch(url, { ...init, body: written(String(init.body ?? "{}"), overrides) } as RequestInit);
    },
    check: () => {
      if (!wasMade) throw new CliError(exitCodes.unexpected, `No request of ${event} has taken the overrides.`);
    },
  };
}

function written(text: string, overrides: readonly Override[]): string {
  const body = JSON.parse(text) as object;
  for (const { path, value } of overrides) write(body, path, value);
  return JSON.stringify(body);
}

function write(into: object, [step = "", ...further]: readonly string[], value: string): void {
  const fields = into as Record<string, unknown>;
  const name = nameIn(fields, step);
  if (further.length === 0) {
    fields[name] = valueLike(fields[name], value);
    return;
  }
  const inner = fields[name];
  const next = typeof inner === "object" && inner !== null ? inner : {};
  fields[name] = next;
  write(next, further, value);
}

/** As the request spells it: either casing of an option is meant for the same field. */
function nameIn(fields: object, step: string): string {
  const plain = (name: string) => name.toLowerCase().replaceAll("_", "");
  return Object.keys(fields).find((name) => plain(name) === plain(step)) ?? step;
}

/** POST /loans/create wants numbers as text, all others as numbers: what stands there already shows which. */
function valueLike(before: unknown, value: string): unknown {
  if (typeof before === "string") return value;
  if (before === undefined && !/^(true|false|null|-?\d+(\.\d+)?|[[{].*)$/s.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
