/** Rows as a table. Only those in view are in the page, so a hundred thousand scroll like fifty. */
import { Link } from "@tanstack/react-router";
import { flexRender, type Table } from "@tanstack/react-table";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ListDescription } from "./description.ts";

export interface RowsProps<Row> {
  readonly list: ListDescription<Row>;
  readonly table: Table<Row>;
  readonly open: ((row: Row) => { to: string; go: () => void }) | undefined;
  readonly onEndNear: () => void;
  readonly isBusy: boolean;
}

const rowHeight = 53;

export function RowTable<Row>({ list, table, open, onEndNear, isBusy }: RowsProps<Row>) {
  const { rows } = table.getRowModel();
  const { place, window, before, after } = useVisibleRows<HTMLTableElement>(rows.length, rowHeight, onEndNear);
  return (
    <div className="relative overflow-x-auto">
      <table ref={place} aria-busy={isBusy} aria-rowcount={rows.length} className="w-full border-collapse text-left">
        <Head list={list} />
        <tbody>
          {before > 0 ? <Gap height={before} columns={list.columns.length} /> : null}
          {window.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            const target = open?.(row.original);
            return (
              <tr
                key={row.id}
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
                      <Link
                        data-row
                        to={target.to}
                        onClick={(event) => event.stopPropagation()}
                        className="hover:underline"
                      >
                        {flexRender(cell.column.columnDef.cell, cell.getContext())}
                      </Link>
                    ) : (
                      flexRender(cell.column.columnDef.cell, cell.getContext())
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 ? <Gap height={after} columns={list.columns.length} /> : null}
        </tbody>
      </table>
    </div>
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

/** Which rows are in view, with the room that the others take, and a call when the last ones come near. */
export function useVisibleRows<Element extends HTMLElement>(count: number, height: number, onEndNear: () => void) {
  const place = useRef<Element>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(place.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({ count, estimateSize: () => height, overscan: 12, scrollMargin: offset });
  const visible = rows.getVirtualItems();
  const first = visible[0];
  const last = visible.at(-1);
  const lastIndex = last?.index ?? 0;
  useEffect(() => {
    if (count > 0 && lastIndex >= count - 15) onEndNear();
  }, [count, lastIndex, onEndNear]);
  return {
    place,
    window: visible.map(({ index }) => index),
    before: first === undefined ? 0 : first.start - offset,
    after: last === undefined ? 0 : rows.getTotalSize() - (last.end - offset),
  };
}
