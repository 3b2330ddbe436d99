/** Draws any list: filters, rows that are read and drawn only where they are seen, and a file of all of them. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { useWideScreen } from "../../shared/use-wide-screen.ts";
import { csvOf, readAll, saveFile } from "../api/csv.ts";
import { useRoom } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failure, Skeleton } from "../parts/states.tsx";
import { chosen, type ListDescription } from "./description.ts";
import { FilterBar } from "./filter-bar.tsx";
import { RowCards } from "./row-cards.tsx";
import { RowTable } from "./row-table.tsx";
import { useRows } from "./use-rows.ts";

export function RecordList<Row>({ list }: { readonly list: ListDescription<Row> }) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const values = chosen(list.filters, search);
  const params = { ...list.fixed, ...values };
  const rows = useRows<Row>(list.path, params);
  const { first, failed, count, isFetching } = rows;
  const isWide = useWideScreen();
  const open = useOpenRow(list);
  const Rows = isWide ? RowTable : RowCards;
  return (
    <section className="card min-w-0">
      <FilterBar filters={list.filters} values={values} />
      {first.isPending ? <Skeleton lines={10} /> : null}
      {first.isError ? <Failure error={first.error} retry={() => first.refetch()} /> : null}
      {first.isSuccess && count === 0 ? <Nothing list={list} filtered={Object.keys(values).length > 0} /> : null}
      {count > 0 ? (
        <>
          <Rows list={list} count={count} rowAt={rows.rowAt} open={open} onLook={rows.look} isBusy={isFetching} />
          {failed === undefined ? null : <Failure error={failed.error} retry={() => failed.refetch()} />}
          <footer
            className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2
            text-sm text-soft"
          >
            <p aria-live="polite">{countText(count, first.data?.total ?? null)}</p>
            {list.csv === undefined ? null : <CsvButton list={list} params={params} />}
          </footer>
        </>
      ) : null}
    </section>
  );
}

export function countText(shown: number, total: number | null): string {
  const figure = (count: number) => count.toLocaleString("en-NG");
  // Not counted by the API, and what follows the last page that was read is not known.
  if (total === null) return "Newest first";
  return shown < total
    ? `The newest ${figure(shown)} of ${figure(total)}: filter to see others`
    : `${figure(total)} in all`;
}

function useOpenRow<Row>(list: ListDescription<Row>): ((row: Row) => { to: string; go: () => void }) | undefined {
  const { at } = useRoom();
  const navigate = useNavigate();
  const { rowPath } = list;
  if (rowPath === undefined) return undefined;
  return (row) => {
    const to = at(rowPath(row));
    return { to, go: () => navigate({ to }) };
  };
}

function Nothing<Row>({ list, filtered }: { readonly list: ListDescription<Row>; readonly filtered: boolean }) {
  if (filtered) return <Empty title="No results">Take a filter away, or widen the dates.</Empty>;
  const { title, text, command } = list.empty;
  return (
    <Empty title={title} {...(command === undefined ? {} : { command })}>
      {text}
    </Empty>
  );
}

interface CsvButtonProps<Row> {
  readonly list: ListDescription<Row>;
  readonly params: Readonly<Record<string, string | number | undefined>>;
}

/** All rows that match, not only those on the screen. */
function CsvButton<Row>({ list, params }: CsvButtonProps<Row>) {
  const { door } = useRoom();
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const download = async () => {
    setState("busy");
    try {
      saveFile(`${list.name}.csv`, csvOf(list.csv ?? [], await readAll<Row>(door, list.path, params)));
      setState("ready");
    } catch {
      setState("failed");
    }
  };
  return (
    <Button onClick={download} disabled={state === "busy"}>
      <Download aria-hidden="true" className="size-4" />
      {state === "busy" ? "Preparing" : state === "failed" ? "CSV failed, try again" : "CSV"}
    </Button>
  );
}
