/** What an operator should look at first, each with the room where it is settled. */
import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Params } from "../api/client.ts";
import { useRoom } from "../api/place.ts";
import { useList, useRecord } from "../api/queries.ts";
import { Panel } from "../parts/facts.tsx";
import { words } from "../parts/figures.ts";
import { Failure, Skeleton } from "../parts/states.tsx";
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
  const past = over === 1 ? "1 live payment is past" : `${over} live payments are past`;
  add(over > 0, `${past} one of the regulator's clocks`, "/unknowns");
  add(verification?.state === "contradictions", "The verification found differences", "/verifications");
  add(verification?.state === "failed", "The books could not be verified", "/verifications");
  const works = processes?.processes.some(({ role, alive }) => alive && role !== "api");
  add(works === false, "No worker lives: nothing is sent", "/queues");
  for (const { kind, environment, state } of queues) {
    add(environment === "LIVE" && state !== "ok", `${words(kind)} wait too long`, "/queues");
  }
  for (const { name, hold } of connections) add(hold !== null, `${name} takes no orders`, "/connections");
  const waits = decisions === 1 ? "1 live decision waits" : `${decisions} live decisions wait`;
  add((decisions ?? 0) > 0, `${waits} for you`, "/decisions");
  const came = suspense === 1 ? "1 payment" : `${suspense} payments`;
  add((suspense ?? 0) > 0, `${came} came in for nobody`, "/suspense");
  return concerns;
}

const liveOnly = { environment: "LIVE" } as const;
const openOnly = { state: "open" } as const;

function useFirstPage<Row>(path: string, params: Params = {}) {
  const query = useList<Row>(path, params);
  return { query, page: query.data?.pages[0] };
}

/** All that is looked at, with what came of each question: what could not be read is not calm. */
function useSeen() {
  const queues = useRecord<readonly Queue[]>("/queues");
  const processes = useRecord<Processes>("/processes");
  const verifications = useFirstPage<Verification>("/verifications");
  const unknowns = useFirstPage<NonNullable<Seen["unknowns"]>[number]>("/unknowns");
  const connections = useFirstPage<NonNullable<Seen["connections"]>[number]>("/connections");
  const suspense = useFirstPage("/suspense", openOnly);
  const decisions = useFirstPage("/decisions", liveOnly);
  const lists = [verifications, unknowns, connections, suspense, decisions].map(({ query }) => query);
  const seen: Seen = {
    queues: queues.data,
    processes: processes.data,
    verification: verifications.page?.rows.find(({ state }) => state !== "running"),
    unknowns: unknowns.page?.rows ?? [],
    connections: connections.page?.rows ?? [],
    suspense: suspense.page?.total,
    decisions: decisions.page?.total,
  };
  return { seen, queries: [queues, processes, ...lists] };
}

export function AttentionPanel() {
  const { at } = useRoom();
  const { seen, queries } = useSeen();
  const concerns = concernsOf(seen);
  const failed = queries.filter(({ isError }) => isError);
  const isPending = queries.some((query) => query.isPending);
  return (
    <Panel title="Needs attention">
      {isPending ? <Skeleton lines={2} /> : null}
      {failed.length === 0 ? null : (
        <>
          <p className="px-4 pt-3 font-medium text-danger">Not everything could be looked at.</p>
          <Failure error={failed[0]?.error} retry={() => failed.forEach(({ refetch }) => void refetch())} />
        </>
      )}
      {concerns.length === 0 && failed.length === 0 && !isPending ? (
        <p className="flex items-center gap-2 px-4 py-3 text-soft">
          <CircleCheck aria-hidden="true" className="size-4 text-brand" />
          No decisions waiting.
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
