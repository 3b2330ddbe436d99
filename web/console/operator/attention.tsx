/** What an operator should look at first, each with the room where it is settled. */
import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Params } from "../api/client.ts";
import { useRoom } from "../api/place.ts";
import { useList, useRecord } from "../api/queries.ts";
import { Panel } from "../parts/facts.tsx";
import { words } from "../parts/figures.ts";
import type { Processes, Queue } from "./queues-page.tsx";
import type { Verification } from "./verification-pages.tsx";

export interface Concern {
  readonly text: string;
  readonly path: string;
}

interface Seen {
  readonly queues?: readonly Queue[] | undefined;
  readonly processes?: Processes | undefined;
  readonly verification?: Pick<Verification, "state"> | undefined;
  readonly unknowns?: readonly {
    readonly clocks: readonly { readonly over: boolean }[];
    readonly environment: string;
  }[];
  readonly connections?: readonly { readonly name: string; readonly hold: unknown }[];
  readonly suspense?: number | null | undefined;
  /** Of live environments. */
  readonly decisions?: number | null | undefined;
}

export function concernsOf(seen: Seen) {
  const { queues = [], processes, verification, unknowns = [], connections = [], suspense, decisions = 0 } = seen;
  const concerns: Concern[] = [];
  const add = (isSo: boolean, text: string, path: string) => (isSo ? concerns.push({ text, path }) : 0);
  const over = unknowns.filter((one) => one.environment === "LIVE" && one.clocks.some((clock) => clock.over)).length;
  add(over > 0, `${over} live payments are past one of the regulator's clocks`, "/unknowns");
  add(verification?.state === "contradictions", "The books contradict themselves", "/verifications");
  add(verification?.state === "failed", "The books could not be verified", "/verifications");
  const works = processes?.processes.some(({ role, alive }) => alive && role !== "api");
  add(works === false, "No worker lives: nothing is sent", "/queues");
  for (const { kind, environment, state } of queues) {
    add(environment === "LIVE" && state !== "ok", `${words(kind)} wait too long`, "/queues");
  }
  for (const { name, hold } of connections) add(hold !== null, `${name} takes no orders`, "/connections");
  const waits = decisions === 1 ? "1 live decision waits" : `${decisions} live decisions wait`;
  add((decisions ?? 0) > 0, `${waits} for you`, "/decisions");
  add((suspense ?? 0) > 0, `${suspense} payments came in for nobody`, "/suspense");
  return concerns;
}

const liveOnly = { environment: "LIVE" } as const;
const openOnly = { state: "open" } as const;

function useFirstPage<Row>(path: string, params: Params = {}) {
  return useList<Row>(path, params).data?.pages[0];
}

export function AttentionPanel() {
  const { at } = useRoom();
  const seen: Seen = {
    queues: useRecord<readonly Queue[]>("/queues").data,
    processes: useRecord<Processes>("/processes").data,
    verification: useFirstPage<Verification>("/verifications")?.rows.find(({ state }) => state !== "running"),
    unknowns: useFirstPage<NonNullable<Seen["unknowns"]>[number]>("/unknowns")?.rows ?? [],
    connections: useFirstPage<NonNullable<Seen["connections"]>[number]>("/connections")?.rows ?? [],
    suspense: useFirstPage("/suspense", openOnly)?.total,
    decisions: useFirstPage("/decisions", liveOnly)?.total,
  };
  const concerns = concernsOf(seen);
  return (
    <Panel title="Needs attention">
      {concerns.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3 text-soft">
          <CircleCheck aria-hidden="true" className="size-4 text-brand" />
          Nothing waits for you.
        </p>
      ) : null}
      <ul>
        {concerns.map(({ text, path }) => (
          <li key={text} className="border-b border-line last:border-0">
            <Link to={at(path)} className="flex items-center gap-2 px-4 py-2 font-medium text-warning underline">
              <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
