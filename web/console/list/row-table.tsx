/** Rows as a table. Only those in view are in the page, so a hundred thousand scroll like fifty. */
import { Link } from "@tanstack/react-router";
import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  type Row as TableRow,
  useReactTable,
} from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ListDescription } from "./description.ts";

export interface RowsProps<Row> {
  readonly list: ListDescription<Row>;
  readonly count: number;
  /** Undefined while its page is on its way. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly open: ((row: Row) => { to: string; go: () => void }) | undefined;
  readonly onLook: (first: number, last: number) => void;
  readonly isBusy: boolean;
}

const rowHeight = 53;

export function RowTable<Row>(props: RowsProps<Row>) {
  const { list, count, open, isBusy } = props;
  const { place, drawn, before, after } = useDrawnRows<Row, HTMLTableElement>(props, rowHeight);
  return (
    <div className="relative overflow-x-auto">
      <table ref={place} aria-busy={isBusy} aria-rowcount={count} className="w-full border-collapse text-left">
        <Head list={list} />
        <tbody>
          {before > 0 ? <Gap height={before} columns={list.columns.length} /> : null}
          {drawn.map(({ index, row }) =>
            row === undefined ? (
              <ComingRow key={index} columns={list.columns.length} />
            ) : (
              <FullRow key={row.id} list={list} row={row} target={open?.(row.original)} />
            ),
          )}
          {after > 0 ? <Gap height={after} columns={list.columns.length} /> : null}
        </tbody>
      </table>
    </div>
  );
}

interface FullRowProps<Row> {
  readonly list: ListDescription<Row>;
  readonly row: TableRow<Row>;
  readonly target: { to: string; go: () => void } | undefined;
}

function FullRow<Row>({ list, row, target }: FullRowProps<Row>) {
  return (
    <tr
      onClick={target?.go}
      className={`h-[53px] border-b border-line last:border-0 hover:bg-hover
        ${target === undefined ? "" : "cursor-pointer"}`}
    >
      {row.getVisibleCells().map((cell, column) => (
        <td
          key={cell.id}
          className={`max-w-80 truncate px-4 py-1.5 ${list.columns[column]?.right ? "text-right" : ""}`}
        >
          {column === 0 && target !== undefined ? (
            <Link data-row to={target.to} onClick={(event) => event.stopPropagation()} className="hover:underline">
              {flexRender(cell.column.columnDef.cell, cell.getContext())}
            </Link>
          ) : (
            flexRender(cell.column.columnDef.cell, cell.getContext())
          )}
        </td>
      ))}
    </tr>
  );
}

function ComingRow({ columns }: { readonly columns: number }) {
  return (
    <tr className="h-[53px] border-b border-line last:border-0">
      <td colSpan={columns} className="px-4">
        <div className="skeleton h-4 w-full" />
        <span className="sr-only">Loading</span>
      </td>
    </tr>
  );
}

function Head<Row>({ list }: { readonly list: ListDescription<Row> }) {
  return (
    <thead>
      <tr>
        {list.columns.map(({ title, right }) => (
          <th
            key={title}
            scope="col"
            className={`border-b border-line px-4 py-2 text-xs font-medium whitespace-nowrap text-soft
              ${right ? "text-right" : ""}`}
          >
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Keeps the place of the rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

/** While somebody pulls the bar down, the pages in between are not worth reading. */
const settleMs = 60;

/** Which rows are in view, with the room that the others take. Where somebody stays is told by `onLook`. */
export function useDrawnRows<Row, Element extends HTMLElement>(
  { list, count, rowAt, onLook }: RowsProps<Row>,
  height: number,
) {
  const place = useRef<Element>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(place.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({ count, estimateSize: () => height, overscan: 12, scrollMargin: offset });
  const visible = rows.getVirtualItems();
  const [first, last] = [visible[0], visible.at(-1)];
  const [from, to] = [first?.index ?? 0, last?.index ?? 0];
  useEffect(() => {
    const settled = setTimeout(() => onLook(from, to), settleMs);
    return () => clearTimeout(settled);
  }, [from, to, onLook]);
  const here = visible.map(({ index }) => ({ index, data: rowAt(index) }));
  const there = here.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const columns = useMemo(() => columnsOf(list), [list]);
  const table = useReactTable({
    data: there,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getRowId: list.rowKey,
    // The rows are others after each step of the scroll; to reset its state for each would draw the page without end.
    autoResetAll: false,
  });
  const { rowsById } = table.getRowModel();
  return {
    place,
    drawn: here.map(({ index, data }) => ({ index, row: data && rowsById[list.rowKey(data)] })),
    before: first === undefined ? 0 : first.start - offset,
    after: last === undefined ? 0 : rows.getTotalSize() - (last.end - offset),
  };
}

function columnsOf<Row>(list: ListDescription<Row>): ColumnDef<Row>[] {
  return list.columns.map(({ title, cell }) => ({
    id: title,
    header: title,
    cell: ({ row }) => cell(row.original),
  }));
}
