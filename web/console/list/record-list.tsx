/** Draws any list: filters, rows that are drawn only where they are seen, more when the end comes near, and a file. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ColumnDef, getCoreRowModel, useReactTable } from "@tanstack/react-table";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useWideScreen } from "../../shared/use-wide-screen.ts";
import { csvOf, readAll, saveFile } from "../api/csv.ts";
import { useRoom } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failure, Skeleton } from "../parts/states.tsx";
import { chosen, type ListDescription } from "./description.ts";
import { FilterBar } from "./filter-bar.tsx";
import { RowCards } from "./row-cards.tsx";
import { RowTable } from "./row-table.tsx";

export function RecordList<Row>({ list }: { readonly list: ListDescription<Row> }) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const values = chosen(list.filters, search);
  const params = { ...list.fixed, ...values };
  const query = useList<Row>(list.path, params);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const total = query.data?.pages[0]?.total ?? null;
  const isWide = useWideScreen();
  const columns = useMemo(() => columnsOf(list), [list]);
  const table = useReactTable({ data: rows, columns, getCoreRowModel: getCoreRowModel(), getRowId: list.rowKey });
  const open = useOpenRow(list);
  const Rows = isWide ? RowTable : RowCards;
  const loadMore = () => {
    if (query.hasNextPage && !query.isFetchingNextPage) query.fetchNextPage();
  };
  return (
    <section className="card min-w-0">
      <FilterBar filters={list.filters} values={values} />
      {query.isPending ? <Skeleton lines={10} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && rows.length === 0 ? <Nothing list={list} filtered={Object.keys(values).length > 0} /> : null}
      {rows.length > 0 ? (
        <>
          <Rows list={list} table={table} open={open} onEndNear={loadMore} isBusy={query.isFetching} />
          <footer
            className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2
            text-sm text-soft"
          >
            <p aria-live="polite">{countText(rows.length, total)}</p>
            <div className="flex gap-2">
              {query.hasNextPage ? (
                <Button look="quiet" onClick={loadMore} disabled={query.isFetchingNextPage}>
                  {query.isFetchingNextPage ? "Loading" : "Show more"}
                </Button>
              ) : null}
              {list.csv === undefined ? null : <CsvButton list={list} params={params} />}
            </div>
          </footer>
        </>
      ) : null}
    </section>
  );
}

function columnsOf<Row>(list: ListDescription<Row>): ColumnDef<Row>[] {
  return list.columns.map(({ title, cell }) => ({
    id: title,
    header: title,
    cell: ({ row }) => cell(row.original),
  }));
}

export function countText(shown: number, total: number | null): string {
  const figure = (count: number) => count.toLocaleString("en-NG");
  if (total === null) return `${figure(shown)} shown`;
  return shown < total ? `${figure(shown)} of ${figure(total)}` : `${figure(total)} in all`;
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
  if (filtered) return <Empty title="Nothing matches">Take a filter away, or widen the dates.</Empty>;
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
