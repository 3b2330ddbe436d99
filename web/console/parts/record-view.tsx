import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ApiProblem, type Refusal } from "../../shared/call-api.ts";
import { useRecord } from "../api/queries.ts";
import { Failure, Skeleton } from "./states.tsx";

interface RecordViewProps<Data> {
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  /** How soon to look again. */
  readonly again?: (data: Data | undefined) => number | false;
  /** What is shown instead of a refusal that is no mistake; undefined leaves it to the usual words. */
  readonly refused?: (refusal: Refusal) => ReactNode | undefined;
  readonly children: (data: Data) => ReactNode;
}

/** Reads a record and shows it, or that it is on its way, or why it cannot be shown. */
export function RecordView<Data>({ path, params = {}, again, refused, children }: RecordViewProps<Data>) {
  const query = useRecord<Data>(path, { params, ...(again === undefined ? {} : { again }) });
  if (query.isPending) return <Skeleton lines={8} />;
  if (query.isError) {
    const own = query.error instanceof ApiProblem ? refused?.(query.error.refusal) : undefined;
    return own ?? <Failure error={query.error} retry={() => query.refetch()} />;
  }
  return children(query.data);
}

/** The id at the end of the address. */
export function useId(): string {
  return (useParams({ strict: false }) as { id: string }).id;
}
