/**
 * Writes down which documented replies the tests have seen, so that a check at the end can name those that no test has
 * (`npm run check:replies`). A success is an operation with its status, a refusal an operation with its code.
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { codesOf } from "../../src/platform/http/openapi/errors.ts";
import type { Route } from "../../src/platform/http/route.ts";

export interface SeenReplies {
  /** A reply by its code or its status; what is given before any route is known has none. */
  note(route: Route | undefined, reply: string | number): void;
}

/** One file of each kind for a process; the files of all processes are read together. */
export function createSeenReplies(routes: readonly Route[]): SeenReplies {
  const folder = inject("repliesFolder");
  mkdirSync(folder, { recursive: true });
  const keep = (kind: string, lines: readonly string[]): void =>
    appendFileSync(join(folder, `${kind}-${process.pid}.txt`), lines.map((line) => `${line}\n`).join(""));
  keep("documented", routes.flatMap(documentedReplies));
  const seen = new Set<string>();
  return {
    note: (route, reply) => {
      const line = lineOf(route ?? unrouted, reply);
      if (seen.has(line)) return;
      seen.add(line);
      keep("seen", [line]);
    },
  };
}

function documentedReplies(route: Route): string[] {
  const { status, also = {}, cached = false } = route.reply;
  const successes = [status, ...Object.keys(also), ...(cached ? [304] : [])];
  return [...successes, ...codesOf(route)].map((reply) => lineOf(route, reply));
}

const unrouted = { method: "ANY", path: "(unrouted)" };

function lineOf({ method, path }: { readonly method: string; readonly path: string }, reply: string | number): string {
  return `${method} ${path} ${reply}`;
}
